// Search in the model: literal search, chunks of current documents, search sessions, and walks through pages of lists.

import assert from "node:assert/strict";
import { compareMembers, exchange, type Outcome, rejected, type World } from "./exchange.ts";
import {
  type Actor,
  chosen,
  contains,
  type Document,
  hasTags,
  ownOf,
  type Session,
  UNKNOWN_ID,
  userOf,
} from "./records.ts";

/** The most results of `POST /v1/pd/search`. */
const MAX_RESULTS = 50;
const MIN_TTL_S = 60;
const MAX_TTL_S = 86_400;

export async function createSession(world: World, step: { by: Actor; ttl?: unknown }): Promise<void> {
  const { by, ttl } = step;
  const body = ttl === undefined ? {} : { ttl };
  await exchange(world, { by, operation: "POST /v1/pd/session", path: "/v1/pd/session", body }, () => {
    const isTtl = Number.isInteger(ttl) && Number(ttl) >= MIN_TTL_S && Number(ttl) <= MAX_TTL_S;
    if (ttl !== undefined && !isTtl) return rejected(400);
    return {
      status: 201,
      apply({ body: { data } }) {
        const createdAt = world.clock.now();
        const expiresAt = createdAt + Number(ttl ?? 1800) * 1000;
        compareMembers(data, { createdAt, expiresAt }, "session");
        world.records.sessions.push({ id: data.sessionId, actor: by, expiresAt, returned: new Set() });
      },
    };
  });
}

interface Chunk {
  chunkId: string;
  documentId: string;
  documentTitle: string;
  content: string;
  parentId: string | null;
  level: string;
}

export interface ChunkSearch {
  by: Actor;
  query: string;
  limit: number;
  session?: number;
  /** Only chunks of this document. */
  document?: number;
}

/** Searches chunks with a session, and compares the results with those of the same search without one. */
export async function searchChunks(world: World, step: ChunkSearch): Promise<void> {
  const { by, query } = step;
  const session = step.session === undefined ? undefined : chosen(world.records.sessions, step.session);
  // The specification does not say whether "another caller" is another user or another credential of the same one.
  if (session && session.actor !== by && userOf(session.actor) === userOf(by)) return;
  const target = step.document === undefined ? undefined : chosen(world.records.documents, step.document);
  await world.settle();
  const common = {
    ...{ query, scoreThreshold: 0, detailLevel: "full" },
    ...(step.document !== undefined && { documentId: target?.id ?? UNKNOWN_ID }),
  };
  const search = async (body: object, decide: () => Outcome): Promise<Chunk[]> => {
    const ask = { by, operation: "POST /v1/pd/search", path: "/v1/pd/search", body: { ...common, ...body } };
    const reply = await exchange(world, ask, decide);
    return reply.status === 200 ? reply.body.data.results : [];
  };
  const all = await search({ limit: MAX_RESULTS }, () => ({ status: 200 }));
  for (const chunk of all) compareChunk(world, { chunk, by, only: target });
  if (step.document !== undefined && !ownOf(target, userOf(by))) assert.deepEqual(all, []);
  await readChunk(world, by, all[0]);
  if (step.session === undefined) return;

  const isLive = session?.actor === by && world.clock.now() + 1 < session.expiresAt;
  const body = { limit: step.limit, sessionId: session?.id ?? UNKNOWN_ID };
  const results = await search(body, () => (isLive ? { status: 200 } : rejected(404)));
  if (isLive) compareSession(session, { all, results, limit: step.limit });
}

function compareSession(
  session: Session,
  { all, results, limit }: { all: Chunk[]; results: Chunk[]; limit: number },
): void {
  const found = results.map(({ chunkId }) => chunkId);
  const fresh = all.map(({ chunkId }) => chunkId).filter((id) => !session.returned.has(id));
  if (all.length < MAX_RESULTS) assert.deepEqual(found, fresh.slice(0, limit), "results with a session");
  for (const id of found) {
    assert.ok(!session.returned.has(id), "a session returns a chunk only once");
    session.returned.add(id);
  }
}

/** A result belongs to a current document of the user and is part of its current text. */
function compareChunk(
  { records }: World,
  { chunk, by, only }: { chunk: Chunk; by: Actor; only?: Document },
): void {
  const document = records.documents.find(({ id }) => id === chunk.documentId);
  assert.ok(ownOf(document, userOf(by)), "a result belongs to a current document of the user");
  assert.ok(!only || only === document, "a result belongs to the document that was asked for");
  assert.equal(chunk.documentTitle, document!.fields.title);
  assert.ok(document!.fields.content.includes(chunk.content), "a result is part of the current text");
}

/** Reads a chunk, and moves from it to its parent and back. */
async function readChunk(world: World, by: Actor, chunk: Chunk | undefined): Promise<void> {
  if (!chunk) return;
  const { chunkId, documentId, parentId } = chunk;
  const { fields } = world.records.documents.find(({ id }) => id === documentId)!;
  const path = `/v1/pd/read/${chunkId}`;
  const ask = { by, operation: "GET /v1/pd/read/{chunkId}", path };
  const { body } = await exchange(world, ask, () => ({ status: 200 }));
  const { metadata, hierarchy, content } = body.data;
  assert.equal(content, fields.content.slice(metadata.startIndex, metadata.endIndex), "the text of a chunk");
  assert.equal(hierarchy.documentId, documentId);
  assert.equal(hierarchy.position.parentChunkId, parentId);
  const stranger: Actor = by === 2 ? 0 : 2;
  await exchange(world, { ...ask, by: stranger }, () => rejected(404));
  const [parent] = await expand(world, by, { chunkId, direction: "up" });
  if (parentId === null) return assert.equal(parent, undefined, "the root has no parent");
  assert.equal(parent?._id, parentId);
  const children = await expand(world, by, { chunkId: parentId, direction: "down" });
  assert.ok(
    children.some(({ _id }) => _id === chunkId),
    "a chunk is a child of its parent",
  );
  assert.deepEqual(await expand(world, stranger, { chunkId, direction: "up" }), []);
}

async function expand(world: World, by: Actor, body: object): Promise<{ _id: string }[]> {
  const ask = { by, operation: "POST /v1/pd/expand", path: "/v1/pd/expand", body };
  const reply = await exchange(world, ask, () => ({ status: 200 }));
  return reply.body.data.chunks;
}

/**
 * Literal search is exact: every record with the text in a searched field, and no other. Until a changed document is
 * indexed, its earlier text may match, too. Archived documents are not compared.
 */
export async function searchLiterally(
  world: World,
  { by, q, tags, isSettled }: { by: Actor; q: string; tags?: string; isSettled: boolean },
): Promise<void> {
  if (isSettled) await world.settle();
  const query = new URLSearchParams({ q, semantic: "false", limit: "50", ...(tags && { tags }) });
  const ask = { by, operation: "GET /v1/search", path: `/v1/search?${query}` };
  const { body } = await exchange(world, ask, () => ({ status: 200 }));
  const { documents, prompts, collections } = world.records;
  const user = userOf(by);
  const ids = (rows: { id: string }[]) => rows.map(({ id }) => id).sort();
  const own = <Row extends { isGone: boolean; user: string; tags: string[]; id: string }>(
    rows: Row[],
    texts: (row: Row) => (string | undefined)[],
  ) =>
    ids(
      rows
        .filter((row) => !row.isGone && row.user === user && hasTags(row.tags, tags))
        .filter((row) => texts(row).some((text) => contains(text, q))),
    );
  const archived = new Set(documents.filter(({ status }) => status === "archived").map(({ id }) => id));
  const shown = documents
    .filter(({ id }) => !archived.has(id))
    .map((document) => ({ ...document, tags: document.fields.tags }));
  const current = own(shown, ({ fields }) => [fields.title, fields.content]);
  const earlier = own(shown, ({ versions }) => versions.map(({ fields }) => fields.content));
  const found = ids(body.data.documents)
    .filter((id) => !archived.has(id))
    .filter((id) => isSettled || current.includes(id) || !earlier.includes(id));
  assert.deepEqual(found, current, "documents");
  assert.deepEqual(
    ids(body.data.prompts),
    own(prompts, ({ title, description, fields }) => [title, description, fields.content]),
    "prompts",
  );
  assert.deepEqual(
    ids(body.data.collections),
    own(collections, ({ name, description }) => [name, description]),
    "collections",
  );
}

const WALKED = {
  documents: "/v1/documents?includeArchived=true",
  prompts: "/v1/prompts?",
  collections: "/v1/collections?",
};
export type WalkedList = keyof typeof WALKED;

/**
 * Reads the next page of a walk through a list, or starts one. Rows that exist during the whole walk are returned
 * exactly once.
 */
export async function walk(
  world: World,
  { by, list, limit }: { by: Actor; list: WalkedList; limit: number },
): Promise<void> {
  const { walks } = world.records;
  const rows: { id: string; user: string; isGone: boolean }[] = world.records[list];
  const name = `${list} of ${userOf(by)}`;
  const alive = rows.filter(({ isGone, user }) => !isGone && user === userOf(by)).map(({ id }) => id);
  const state = walks.get(name) ?? { cursor: "", seen: [], atStart: alive };
  const path = `${WALKED[list]}&limit=${limit}${state.cursor && `&cursor=${state.cursor}`}`;
  const { body } = await exchange(world, { by, operation: `GET /v1/${list}`, path }, () => ({ status: 200 }));
  state.seen.push(...body.data.map(({ id }: { id: string }) => id));
  const order = rows.map(({ id }) => id).reverse();
  const expected = order.filter((id) => state.seen.includes(id));
  assert.deepEqual(state.seen, expected, "a walk returns each row once, newest first");
  assert.equal(body.pagination.hasMore, body.pagination.cursor !== "");
  if (body.pagination.hasMore) {
    assert.equal(body.data.length, limit, "only the last page is shorter");
    walks.set(name, { ...state, cursor: body.pagination.cursor });
    return;
  }
  walks.delete(name);
  const missed = alive.filter((id) => state.atStart.includes(id) && !state.seen.includes(id));
  assert.deepEqual(missed, [], "a walk returns every row that exists all the time");
}
