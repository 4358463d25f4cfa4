// What MCP reads beside the operations: numbers for the instructions, and prompts by the end of their id.

import { and, count, desc, eq, gte, inArray, isNull, like, sql } from "drizzle-orm";
import { activity } from "../db/activity-table.ts";
import type { TableReader } from "../db/store.ts";
import { collections, documents, documentVersions, prompts, promptVersions } from "../db/tables.ts";

/** A page of prompts is read in one turn of the event loop, so each may take only a moment. */
const MAX_TEMPLATE_CHARACTERS = 64 * 1024;

/** The number of documents of a user. */
export function countDocuments({ tables }: TableReader, userId: string): number {
  return tables.select({ n: count() }).from(documents).where(eq(documents.userId, userId)).get()?.n ?? 0;
}

/** The number of prompts of a user. */
export function countPrompts({ tables }: TableReader, userId: string): number {
  return tables.select({ n: count() }).from(prompts).where(eq(prompts.userId, userId)).get()?.n ?? 0;
}

/** What results say of a document beside its text. */
export interface DocumentFacts {
  title: string;
  status: string;
  changedAt: number;
}

/** The facts of a user's documents with these ids. */
export function documentFacts(
  { tables }: TableReader,
  userId: string,
  ids: readonly string[],
): Map<string, DocumentFacts> {
  const { id, title, status, lastChangedAt: changedAt } = documents;
  const rows = tables
    .select({ id, title, status, changedAt })
    .from(documents)
    .where(and(eq(documents.userId, userId), inArray(id, [...new Set(ids)])))
    .all();
  return new Map(rows.map(({ id, ...known }) => [id, known]));
}

/** A document or prompt that was created or changed. */
export interface ChangedRecord {
  type: "document" | "prompt";
  id: string;
  title: string;
  status: string | undefined;
  isNew: boolean;
  changedAt: number;
  /** Who wrote the last version, with which key or program, and why. */
  by: string | null;
  agent: string | null;
  changeLog: string | null;
}

interface Since {
  userId: string;
  /** Epoch ms. */
  since: number;
  limit: number;
}

/** A user's documents that were changed since a time, the last change first. */
export function changedDocuments({ tables }: TableReader, { userId, since, limit }: Since): ChangedRecord[] {
  const { id, title, status, createdAt, lastChangedAt: changedAt } = documents;
  const { actorName: by, agent, changeLog } = documentVersions;
  const isLast = and(eq(documentVersions.documentId, id), eq(documentVersions.version, documents.revision));
  return tables
    .select({ id, title, status, createdAt, changedAt, by, agent, changeLog })
    .from(documents)
    .leftJoin(documentVersions, isLast)
    .where(and(eq(documents.userId, userId), gte(changedAt, since)))
    .orderBy(desc(changedAt), desc(id))
    .limit(limit)
    .all()
    .map(({ createdAt, ...row }) => ({ ...row, type: "document" as const, isNew: createdAt >= since }));
}

/** A user's prompts that were changed since a time, the last change first. */
export function changedPrompts({ tables }: TableReader, { userId, since, limit }: Since): ChangedRecord[] {
  const { id, title, createdAt, updatedAt: changedAt } = prompts;
  const { userName: by, agent, changeLog } = promptVersions;
  const isLast = and(eq(promptVersions.promptId, id), eq(promptVersions.version, prompts.currentVersion));
  return tables
    .select({ id, title, createdAt, changedAt, by, agent, changeLog })
    .from(prompts)
    .leftJoin(promptVersions, isLast)
    .where(and(eq(prompts.userId, userId), gte(changedAt, since)))
    .orderBy(desc(changedAt), desc(id))
    .limit(limit)
    .all()
    .map(({ createdAt, ...row }) => ({
      ...row,
      type: "prompt" as const,
      status: undefined,
      isNew: createdAt >= since,
    }));
}

/** A pause that separates two visits of an agent. */
const BETWEEN_VISITS_MS = 30 * 60_000;
const MAX_ENTRIES_OF_VISIT = 1_000;

/** When the visit of an agent before the current one ended, epoch ms; undefined if the activity log has none. */
export function endOfLastVisit(
  { tables }: TableReader,
  { userId, agent, now }: { userId: string; agent: string | null; now: number },
): number | undefined {
  const isOfAgent = agent === null ? isNull(activity.agent) : eq(activity.agent, agent);
  const entries = tables
    .select({ at: activity.at })
    .from(activity)
    .where(and(eq(activity.userId, userId), isOfAgent))
    .orderBy(desc(activity.id))
    .limit(MAX_ENTRIES_OF_VISIT)
    .all();
  let later = now;
  for (const { at } of entries) {
    if (later - at > BETWEEN_VISITS_MS) return at;
    later = at;
  }
  return undefined;
}

/** The names of a user's newest collections. */
export function newestCollections({ tables }: TableReader, userId: string, limit: number): string[] {
  return tables
    .select({ name: collections.name })
    .from(collections)
    .where(eq(collections.userId, userId))
    .orderBy(desc(collections.createdAt), desc(collections.id))
    .limit(limit)
    .all()
    .map(({ name }) => name);
}

/** The tags of a user's newest documents, most recent first, each once. */
export function newestTags({ tables }: TableReader, userId: string, newest: number): string[] {
  const rows = tables
    .select({ tags: documents.tags })
    .from(documents)
    .where(eq(documents.userId, userId))
    .orderBy(desc(documents.createdAt), desc(documents.id))
    .limit(newest)
    .all();
  return [...new Set(rows.flatMap(({ tags }) => tags))];
}

/** The user's prompts whose id ends like this: nearly always at most one. `ending` contains letters and digits only. */
export function promptsEndingWith(
  { tables }: TableReader,
  userId: string,
  ending: string,
): { id: string; title: string }[] {
  return (
    tables
      .select({ id: prompts.id, title: prompts.title })
      .from(prompts)
      .where(and(eq(prompts.userId, userId), like(prompts.id, `%${ending}`)))
      .limit(10)
      .all()
      // LIKE ignores case.
      .filter(({ id }) => id.endsWith(ending))
  );
}

/** The start of a prompt's content, in which its placeholders are looked for, and its declared variables. */
export function promptTemplate({ tables }: TableReader, id: string) {
  const content = sql<string>`substr(${prompts.content}, 1, ${MAX_TEMPLATE_CHARACTERS})`;
  return tables
    .select({ content, variables: prompts.variables })
    .from(prompts)
    .where(eq(prompts.id, id))
    .get();
}
