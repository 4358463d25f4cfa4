// Queries of what agents have done: the activity log, and versions by author.

import { and, count, desc, eq, gt, inArray, lt, sql, sum } from "drizzle-orm";
import { activity } from "../../../db/activity-table.ts";
import { prepared } from "../../../db/prepared.ts";
import type { TableReader, Write } from "../../../db/store.ts";
import { documents, documentVersions, prompts, promptVersions, users } from "../../../db/tables.ts";
import type { AgentSummary, OpenQuestion } from "../replies.ts";

export type Entry = Omit<typeof activity.$inferSelect, "id">;

/** Entries of a user. With texts of 300 units, they have at most about 20 MB. */
const MAX_ENTRIES = 20_000;
const MAX_AGE_MS = 30 * 86_400_000;
/** Entries that are deleted in one write, in a few milliseconds. */
const MAX_PURGED = 2_000;
/** Versions and entries that a summary reads: about 20 ms. */
const MAX_READ = 5_000;
/** Questions and searches of which the unanswered ones are looked for. */
const MAX_ASKED = 2_000;
const MAX_QUESTIONS = 50;

/** The row of a table with an id. */
const rowOf = (table: typeof users | typeof documents | typeof prompts) =>
  prepared((tables) =>
    tables
      .select({ id: table.id })
      .from(table)
      .where(eq(table.id, sql.placeholder("id")))
      .prepare(),
  );
const existing = { user: rowOf(users), document: rowOf(documents), prompt: rowOf(prompts) };

const insertOne = prepared((tables) =>
  tables
    .insert(activity)
    .values({
      id: sql.placeholder("id"),
      userId: sql.placeholder("userId"),
      agent: sql.placeholder("agent"),
      kind: sql.placeholder("kind"),
      documentId: sql.placeholder("documentId"),
      promptId: sql.placeholder("promptId"),
      text: sql.placeholder("text"),
      count: sql.placeholder("count"),
      times: sql.placeholder("times"),
      at: sql.placeholder("at"),
    })
    .prepare(),
);

/** Inserts entries, without those whose user or record has been deleted meanwhile. */
export function insertEntries(write: Write, entries: Iterable<Entry>): void {
  const exists = (kind: keyof typeof existing, id: string | null) =>
    id === null || existing[kind](write).get({ id }) !== undefined;
  for (const entry of entries) {
    const { userId, documentId, promptId } = entry;
    if (!exists("user", userId) || !exists("document", documentId) || !exists("prompt", promptId)) continue;
    insertOne(write).run({ id: write.newId(), ...entry });
  }
}

/** Deletes entries that are too old, and what these users have too many of; only a part if that is much. */
export function purgeEntries({ tables, now }: Write, userIds: Iterable<string>): void {
  const old = tables
    .select({ id: activity.id })
    .from(activity)
    .where(lt(activity.at, now - MAX_AGE_MS))
    .limit(MAX_PURGED);
  tables.delete(activity).where(inArray(activity.id, old)).run();
  for (const userId of userIds) {
    const surplus = tables
      .select({ id: activity.id })
      .from(activity)
      .where(eq(activity.userId, userId))
      .orderBy(desc(activity.id))
      .limit(MAX_PURGED)
      .offset(MAX_ENTRIES);
    tables.delete(activity).where(inArray(activity.id, surplus)).run();
  }
}

/** Deletes the whole log. */
export function clearEntries({ tables }: Write): void {
  tables.delete(activity).run();
}

interface SummaryOf {
  userId: string;
  /** The name of the user, for what was done with keys without a name. */
  userName: string;
  /** The id of a version: everything later is counted. */
  since: string;
  /** Whether documents and prompts may be counted. */
  documents: boolean;
  prompts: boolean;
}

type Author = Pick<AgentSummary, "agent" | "kind" | "name">;

/** What each author has done, those who have changed most first; at most the latest 5,000 versions of each kind. */
export function summarize(reader: TableReader, of: SummaryOf): AgentSummary[] {
  const found = new Map<string, AgentSummary>();
  const summaryOf = ({ agent, kind, name }: Author): AgentSummary => {
    const key = JSON.stringify(agent === null ? [kind, name] : agent);
    const nothing = { written: 0, changed: 0, deleted: 0, read: 0, searched: 0, asked: 0 };
    const summary = found.get(key) ?? { agent, kind, name, ...nothing };
    found.set(key, summary);
    return summary;
  };
  const versions = [
    ...(of.documents ? documentAuthors(reader, of) : []),
    ...(of.prompts ? promptAuthors(reader, of) : []),
  ];
  for (const { written, total, ...author } of versions) {
    const summary = summaryOf(author);
    summary.written += Number(written);
    summary.changed += total - Number(written);
  }
  for (const { agent, did, times } of deeds(reader, of)) {
    summaryOf({ agent, kind: "apiKey", name: of.userName })[MEMBER_OF[did]] += Number(times);
  }
  const changes = ({ written, changed, deleted }: AgentSummary) => written + changed + deleted;
  return [...found.values()].sort((a, b) => changes(b) - changes(a));
}

const MEMBER_OF = { read: "read", search: "searched", question: "asked", delete: "deleted" } as const;

function documentAuthors({ tables }: TableReader, { userId, since }: SummaryOf) {
  const { id, documentId, agent, actorKind, actorName, version } = documentVersions;
  const recent = tables
    .select({ agent, kind: actorKind, name: actorName, isNew: sql<number>`${version} = 0`.as("is_new") })
    .from(documentVersions)
    .innerJoin(documents, eq(documents.id, documentId))
    .where(and(eq(documents.userId, userId), gt(id, since)))
    .orderBy(desc(id))
    .limit(MAX_READ)
    .as("recent");
  return tables
    .select({
      agent: recent.agent,
      kind: recent.kind,
      name: recent.name,
      written: sum(recent.isNew),
      total: count(),
    })
    .from(recent)
    .groupBy(recent.agent, recent.kind, recent.name)
    .all();
}

function promptAuthors({ tables }: TableReader, { userId, since }: SummaryOf) {
  const { id, promptId, agent, userName, version } = promptVersions;
  const recent = tables
    .select({ agent, name: userName, isNew: sql<number>`${version} = 1`.as("is_new") })
    .from(promptVersions)
    .innerJoin(prompts, eq(prompts.id, promptId))
    .where(and(eq(prompts.userId, userId), gt(id, since)))
    .orderBy(desc(id))
    .limit(MAX_READ)
    .as("recent");
  return tables
    .select({
      agent: recent.agent,
      kind: sql<null>`NULL`,
      name: recent.name,
      written: sum(recent.isNew),
      total: count(),
    })
    .from(recent)
    .groupBy(recent.agent, recent.name)
    .all();
}

function deeds({ tables }: TableReader, { userId, since }: SummaryOf) {
  const recent = tables
    .select({ agent: activity.agent, did: activity.kind, times: activity.times })
    .from(activity)
    .where(and(eq(activity.userId, userId), gt(activity.id, since)))
    .orderBy(desc(activity.id))
    .limit(MAX_READ)
    .as("recent");
  return tables
    .select({ agent: recent.agent, did: recent.did, times: sum(recent.times) })
    .from(recent)
    .groupBy(recent.agent, recent.did)
    .all();
}

/**
 * Questions of agents with parts that were not answered, and their searches without a result, the latest first. The
 * last time counts: what has found something since then is not listed.
 */
export function openQuestions({ tables }: TableReader, userId: string): OpenQuestion[] {
  const { text, kind, agent, times, at } = activity;
  const rows = tables
    .select({ text, kind, agent, times, at, count: activity.count })
    .from(activity)
    .where(and(eq(activity.userId, userId), inArray(kind, ["search", "question"])))
    .orderBy(desc(activity.id))
    .limit(MAX_ASKED)
    .all();
  const latest = Map.groupBy(rows, (row) => `${row.kind} ${row.text}`);
  return [...latest.values()]
    .map(([last, ...earlier]) => ({
      ...last!,
      times: earlier.reduce((n, row) => n + row.times, last!.times),
    }))
    .filter((last) => (last.count === 0) === (last.kind === "search"))
    .slice(0, MAX_QUESTIONS)
    .map(({ count: _, ...last }) => last as OpenQuestion);
}

/** Deletes what a user's agents have asked or searched with this text. Returns whether there was something. */
export function dismissQuestion({ tables }: Write, userId: string, text: string): boolean {
  const isAsked = and(eq(activity.userId, userId), eq(activity.text, text));
  return tables.delete(activity).where(isAsked).returning({ id: activity.id }).all().length > 0;
}
