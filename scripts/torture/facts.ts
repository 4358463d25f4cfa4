// What clients know from responses, as facts that must hold in the database from then on, and the rules that every
// database keeps at any time. It reads rows with SQL of its own, not with the code that is tested.

import type { Database } from "bun:sqlite";
import { findIndexProblems } from "../../src/retrieval/generations/index-problems.ts";

/** A fact about stored rows. `about` names what ends it: a later request that changes the same thing. */
export type Fact =
  | { kind: "version"; document: string; version: number; hash: string }
  | { kind: "prompt version"; prompt: string; version: number; content: string }
  | { kind: "document"; document: string }
  | { kind: "gone"; document: string }
  | { kind: "collection"; collection: string; name: string }
  | { kind: "item"; collection: string; record: string; isPresent: boolean }
  | { kind: "fence"; document: string; fence: number; leaseId: string | null }
  | { kind: "receipt"; key: string };

interface Known {
  fact: Fact;
  /** Position of the acknowledgement, and of the request that may have ended the fact. */
  from: number;
  until: number;
}

/** The facts of one run, in the order of their acknowledgements. */
export interface Facts {
  readonly size: number;
  /** A response was received. `about` is needed to end the fact. */
  add(fact: Fact, about?: string): void;
  /** A request is sent that can end the current facts about this. */
  end(about: string): void;
  /** The facts that hold at a position; without one, now. */
  at(position?: number): Fact[];
}

/** `position` is the present position in whatever orders the run; it never decreases. */
export function collectFacts(position: () => number): Facts {
  const known: Known[] = [];
  const current = new Map<string, Known[]>();
  return {
    get size() {
      return known.length;
    },
    add(fact, about) {
      const entry = { fact, from: position(), until: Number.POSITIVE_INFINITY };
      known.push(entry);
      if (about !== undefined) current.set(about, [...(current.get(about) ?? []), entry]);
    },
    end(about) {
      for (const entry of current.get(about) ?? []) entry.until = position();
      current.delete(about);
    },
    at: (at) =>
      known
        .filter(({ from, until }) =>
          at === undefined ? until === Number.POSITIVE_INFINITY : from <= at && at < until,
        )
        .map(({ fact }) => fact),
  };
}

/** Descriptions of the facts that do not hold. */
export function missingFacts(database: Database, facts: readonly Fact[]): string[] {
  const rows = <Row>(sql: string) => database.query<Row, []>(sql).all();
  const versions = new Map(
    rows<{ id: string; hash: string }>(
      "SELECT document_id || '/' || version AS id, content_hash AS hash FROM document_versions",
    ).map(({ id, hash }) => [id, hash]),
  );
  const documents = new Set(rows<{ id: string }>("SELECT id FROM documents").map(({ id }) => id));
  const prompts = new Map(
    rows<{ id: string; content: string }>(
      "SELECT prompt_id || '/' || version AS id, content FROM prompt_versions",
    ).map(({ id, content }) => [id, content]),
  );
  const collections = new Map(
    rows<{ id: string; name: string }>("SELECT id, name FROM collections").map(({ id, name }) => [id, name]),
  );
  const items = new Set(
    rows<{ id: string }>(
      "SELECT collection_id || '/' || coalesce(document_id, prompt_id) AS id FROM collection_items",
    ).map(({ id }) => id),
  );
  const coordinated = new Map(
    rows<{ id: string; fence: number; lease: string | null }>(
      "SELECT document_id AS id, fence, lease_id AS lease FROM document_coordination",
    ).map(({ id, fence, lease }) => [id, { fence, lease }]),
  );
  const receipts = new Set(
    rows<{ key: string }>("SELECT key FROM idempotency_receipts").map(({ key }) => key),
  );

  const holds = (fact: Fact): boolean => {
    switch (fact.kind) {
      case "version":
        return versions.get(`${fact.document}/${fact.version}`) === fact.hash;
      case "prompt version":
        return prompts.get(`${fact.prompt}/${fact.version}`) === fact.content;
      case "document":
        return documents.has(fact.document);
      case "gone":
        return !documents.has(fact.document);
      case "collection":
        return collections.get(fact.collection) === fact.name;
      case "item":
        return items.has(`${fact.collection}/${fact.record}`) === fact.isPresent;
      case "fence": {
        const found = coordinated.get(fact.document);
        return found !== undefined && found.fence === fact.fence && found.lease === fact.leaseId;
      }
      case "receipt":
        return receipts.has(fact.key);
    }
  };
  return facts.filter((fact) => !holds(fact)).map((fact) => `lost: ${JSON.stringify(fact)}`);
}

/** A title or change log that begins with this names the idempotency key of the request that made it. */
export const KEYED = "key:";

/** What is partial or contradictory, as SQL that selects the ids. */
const RULES: readonly [string, string][] = [
  [
    "documents whose versions are not 0 to the revision",
    `SELECT d.id FROM documents AS d LEFT JOIN document_versions AS v ON v.document_id = d.id
     GROUP BY d.id HAVING count(v.id) <> d.revision + 1 OR max(v.version) <> d.revision OR min(v.version) <> 0`,
  ],
  [
    "documents whose content is not that of their version",
    `SELECT d.id FROM documents AS d JOIN document_versions AS v ON v.document_id = d.id AND v.version = d.revision
     WHERE v.content_hash <> d.content_hash OR v.title <> d.title`,
  ],
  [
    "versions without their text",
    `SELECT v.id FROM document_versions AS v WHERE NOT EXISTS
       (SELECT 1 FROM bodies WHERE document_id = v.document_id AND hash = v.content_hash)`,
  ],
  [
    "prompts whose versions are not 1 to the current one",
    `SELECT p.id FROM prompts AS p LEFT JOIN prompt_versions AS v ON v.prompt_id = p.id
     GROUP BY p.id HAVING count(v.id) <> p.current_version OR max(v.version) <> p.current_version`,
  ],
  [
    "changes that were made twice",
    `SELECT change_log FROM document_versions WHERE change_log LIKE '${KEYED}%' GROUP BY change_log HAVING count(*) > 1
     UNION ALL SELECT title FROM documents WHERE title LIKE '${KEYED}%' GROUP BY title HAVING count(*) > 1`,
  ],
  [
    "changes without their receipt",
    `SELECT substr(change_log, ${KEYED.length + 1}) AS key FROM document_versions WHERE change_log LIKE '${KEYED}%'
       AND substr(change_log, ${KEYED.length + 1}) NOT IN (SELECT key FROM idempotency_receipts)
     UNION ALL SELECT title FROM documents WHERE title LIKE '${KEYED}%'
       AND substr(title, ${KEYED.length + 1}) NOT IN (SELECT key FROM idempotency_receipts)`,
  ],
  [
    "receipts without their change",
    `SELECT r.key FROM idempotency_receipts AS r JOIN documents AS d ON d.id = json_extract(r.body, '$.data.id')
     WHERE r.status IN (200, 201) AND json_extract(r.body, '$.data.revision') > d.revision`,
  ],
];

/** Descriptions of everything that breaks a rule; `isThorough` reads every page, text and index row. */
export function brokenRules(database: Database, { isThorough }: { isThorough: boolean }): string[] {
  const broken = RULES.flatMap(([rule, sql]) => {
    const found = database.query<Record<string, string>, []>(sql).all();
    return found.length === 0 ? [] : [`${found.length} ${rule}: ${Object.values(found[0]!)[0]}`];
  });
  if (database.query("PRAGMA foreign_key_check").get()) broken.push("rows that refer to missing rows");
  if (!isThorough) return broken;
  for (const row of database.query<Record<string, string>, []>("PRAGMA integrity_check").all()) {
    const [text] = Object.values(row);
    if (text !== "ok") broken.push(`integrity_check: ${text}`);
  }
  for (const { hash, text } of database
    .query<{ hash: string; text: string }, []>("SELECT hash, text FROM bodies")
    .iterate()) {
    if (hashOf(text) !== hash) broken.push(`a text does not match its hash: ${hash}`);
  }
  for (const { what, count } of findIndexProblems(database, null)) broken.push(`index: ${count} ${what}`);
  return broken;
}

/** The contentHash of the API. */
export function hashOf(text: string): string {
  return `sha256:${new Bun.CryptoHasher("sha256").update(text).digest("hex")}`;
}
