// Counts versions by day and author.

import type { Database } from "bun:sqlite";
import { firstIdAt } from "../../../kernel/ids.ts";
import type { Author, ChangeDays } from "../../../kernel/pictures.ts";

export interface ChangeDaysQuery {
  userId: string;
  /** Whether changes of documents and of prompts are counted. */
  documents: boolean;
  prompts: boolean;
  /** The starts of the days, epoch ms, ascending; the last one is the end of the last day. */
  starts: number[];
}

/** More colours cannot be told apart. */
const MAX_AUTHORS = 8;
/** The latest versions of each kind that are counted. */
const MAX_VERSIONS = 30_000;
/** Days start at multiples of this in all time zones, so that SQLite can count before the days are known. */
const STEP_MS = 900_000;

interface Counted extends Author {
  /** The number of the quarter of an hour since the epoch. */
  step: number;
  written: number;
  total: number;
}

/** The name of the user matters only for versions without an agent, as where an author is shown. */
const countBy = (version: string, owner: string) => `
  SELECT created_at / ${STEP_MS} AS step, agent, kind, name, sum(is_new) AS written, count(*) AS total
  FROM (SELECT version.created_at, version.agent, ${version}
    JOIN ${owner} AS record ON record.id = version.${owner.slice(0, -1)}_id
    WHERE record.user_id = ?1 AND version.id >= ?2 AND version.created_at >= ?3 AND version.created_at < ?4
    ORDER BY version.id DESC LIMIT ${MAX_VERSIONS})
  GROUP BY step, agent, kind, name`;

const DOCUMENTS = countBy(
  `iif(version.agent IS NULL, nullif(version.actor_kind, 'session'), NULL) AS kind,
   iif(version.agent IS NULL, version.actor_name, NULL) AS name, version.version = 0 AS is_new
   FROM document_versions AS version`,
  "documents",
);
const PROMPTS = countBy(
  `NULL AS kind, iif(version.agent IS NULL, version.user_name, NULL) AS name, version.version = 1 AS is_new
   FROM prompt_versions AS version`,
  "prompts",
);

/** The user's versions of some days by author; of more than 30,000 of a kind, the latest. */
export function countChangeDays(database: Database, query: ChangeDaysQuery): ChangeDays {
  const { userId, documents, prompts, starts } = query;
  const [from = 0, to = 0] = [starts[0], starts.at(-1)];
  const read = (sql: string) =>
    database.query<Counted, [string, string, number, number]>(sql).all(userId, firstIdAt(from), from, to);
  const kinds = [documents ? read(DOCUMENTS) : [], prompts ? read(PROMPTS) : []];
  const sizes = kinds.map((rows) => rows.reduce((n, { total }) => n + total, 0));
  const rows = kinds.flat();

  const totals = new Map<string, { author: Author; total: number }>();
  for (const { agent, kind, name, total } of rows) {
    const key = keyOf({ agent, kind, name });
    totals.set(key, { author: { agent, kind, name }, total: (totals.get(key)?.total ?? 0) + total });
  }
  const ranked = [...totals].sort(([, a], [, b]) => b.total - a.total);
  const shown = ranked.slice(0, ranked.length > MAX_AUTHORS ? MAX_AUTHORS - 1 : MAX_AUTHORS);
  const positions = new Map(shown.map(([key], position) => [key, position]));

  const counts = new Map<string, ChangeDays["counts"][number]>();
  for (const row of rows) {
    const day = Math.max(
      0,
      starts.findLastIndex((start) => start <= row.step * STEP_MS),
    );
    const author = positions.get(keyOf(row)) ?? shown.length;
    const key = `${day} ${author}`;
    const count = counts.get(key) ?? { day, author, written: 0, changed: 0 };
    count.written += row.written;
    count.changed += row.total - row.written;
    counts.set(key, count);
  }
  const authors = shown.map(([, { author }]) => author);
  return {
    authors: ranked.length > shown.length ? [...authors, null] : authors,
    counts: [...counts.values()],
    isComplete: sizes.every((size) => size < MAX_VERSIONS),
  };
}

const keyOf = ({ agent, kind, name }: Author) => JSON.stringify([agent, kind, name]);
