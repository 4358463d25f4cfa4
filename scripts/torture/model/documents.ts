// Documents in the model: creation, changes, versions, restore, deletion and lists, as the specification describes
// them.

import assert from "node:assert/strict";
import type { Reply } from "../../../test/helpers/start.ts";
import { guard, type Preconditions, preconditionsOf } from "./coordination.ts";
import { etagOf, hashOf, learnHeaders, matches } from "./document-headers.ts";
import { type Ask, compareMembers, exchange, type Outcome, rejected, type World } from "./exchange.ts";
import {
  type Actor,
  type Collection,
  chosen,
  contains,
  type Document,
  type DocumentFields,
  dropFromCollections,
  hasTags,
  ownOf,
  storedTags,
  UNKNOWN_ID,
  userOf,
} from "./records.ts";

const CANONICAL = ["title", "content", "contentHtml", "rawHtml", "sourceUrl", "metadata", "tags"] as const;
const NULLABLE = ["contentHtml", "rawHtml", "sourceUrl"];

/** A body as a step has it; a test may have wrong types in it. */
export type Body = Record<string, unknown>;

const isText = (value: unknown): value is string => typeof value === "string";
const isTitle = (value: unknown): boolean => isText(value) && value.trim() !== "" && !value.includes("\0");
export const areTags = (value: unknown): boolean =>
  Array.isArray(value) && value.every((tag) => isTitle(tag) && !tag.includes(","));
const isObject = (value: unknown): boolean =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What each member of a body may be. */
const RULES: Record<string, (value: unknown) => boolean> = {
  title: isTitle,
  content: isText,
  contentHtml: isText,
  rawHtml: isText,
  sourceUrl: (value) => isText(value) && /^https?:\/\/\w/.test(value),
  metadata: isObject,
  tags: areTags,
  changeLog: isText,
  status: (value) => ["draft", "published", "archived"].includes(value as string),
  expectedRevision: Number.isInteger,
};

function isValidBody(body: Body, mayBeNull: readonly string[] = []): boolean {
  return Object.entries(body).every(([name, value]) => {
    const rule = RULES[name];
    return !rule || rule(value) || (value === null && mayBeNull.includes(name));
  });
}

export async function createDocument(
  world: World,
  step: { by: Actor; body: Body; into: number[]; key?: string },
): Promise<void> {
  const collections = step.into.map((pick) => chosen(world.records.collections, pick));
  const body = { ...step.body, ...(step.into.length > 0 && { collectionIds: collections.map(idOf) }) };
  const ask = { by: step.by, operation: "POST /v1/documents", path: "/v1/documents", body, key: step.key };
  await exchange(world, ask, ({ by }): Outcome => {
    const { title, content, status: _ignored, changeLog: _unused, ...rest } = step.body;
    if (!isTitle(title) || !isText(content) || !isValidBody(rest)) return rejected(400);
    const own = collections.map((collection) => ownOf(collection, userOf(by)));
    if (own.includes(undefined)) return rejected(404);
    return { status: 201, apply: (reply) => addDocument(world, { by, reply, body: step.body, into: own }) };
  });
}

const idOf = (record: { id: string } | undefined): string => record?.id ?? UNKNOWN_ID;

function addDocument(
  world: World,
  {
    by,
    reply,
    body,
    into,
  }: { by: Actor; reply: Reply; body: Body; into: readonly (Collection | undefined)[] },
): void {
  const now = world.clock.now();
  const {
    title,
    content,
    contentHtml,
    rawHtml,
    sourceUrl,
    metadata = {},
    tags,
    workspaceId,
  } = body as Body & Partial<DocumentFields> & { workspaceId?: string };
  const fields = compact({
    title,
    content,
    contentHtml,
    rawHtml,
    sourceUrl,
    metadata,
    tags: storedTags(tags),
  });
  const document: Document = {
    id: reply.body.data.id,
    user: userOf(by),
    createdAt: now,
    isGone: false,
    workspaceId,
    fields,
    status: "published",
    revision: 0,
    lastChangedAt: now,
    versions: [{ version: 0, fields, changeLog: null, createdAt: now }],
    etags: new Map(),
    policy: "standard",
    fence: 0,
    oldLeases: [],
  };
  assert.equal(reply.headers.get("location"), `/v1/documents/${document.id}`);
  compareAcknowledgement(document, reply, false);
  world.records.documents.push(document);
  for (const collection of new Set(into))
    collection?.items.push({ record: document, itemType: "document", addedAt: now });
}

/** Fields without the members that are undefined or null. */
function compact(fields: Record<string, unknown>): DocumentFields {
  const present = Object.entries(fields).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(present) as unknown as DocumentFields;
}

function compareAcknowledgement(document: Document, reply: Reply, noop: boolean): void {
  const { id, revision, lastChangedAt, fields } = document;
  const contentHash = hashOf(fields.content);
  const expected = { id, revision, currentVersion: revision, contentHash, lastChangedAt, noop };
  compareMembers(reply.body.data, expected, "write acknowledgement");
  learnHeaders(document, reply);
}

export interface Change {
  by: Actor;
  document: number;
  key?: string;
  conditions: Preconditions;
}

export async function patchDocument(world: World, step: Change & { body: Body }): Promise<void> {
  const target = chosen(world.records.documents, step.document);
  const { headers, members } = preconditionsOf(target, step.conditions);
  const body = { ...step.body, ...members };
  const path = `/v1/documents/${idOf(target)}`;
  const ask = { by: step.by, operation: "PATCH /v1/documents/{id}", path, body, key: step.key, ...headers };
  await exchange(world, ask, (sent): Outcome => {
    if (!isValidBody(body, NULLABLE)) return rejected(400);
    const document = ownOf(target, userOf(sent.by));
    if (!document) return rejected(404);
    const refusal = guard(world, document, { ...sent, expectedRevision: members.expectedRevision });
    if (refusal) return refusal;
    return { status: 200, apply: (reply) => applyPatch(world, { document, reply, body: step.body }) };
  });
}

function applyPatch(
  world: World,
  { document, reply, body }: { document: Document; reply: Reply; body: Body },
): void {
  const given = Object.fromEntries(
    CANONICAL.filter((name) => name in body).map((name) => [name, body[name]]),
  );
  if (given.tags) given.tags = storedTags(given.tags as string[]);
  const isNewStatus = body.status !== undefined && body.status !== document.status;
  if (body.status !== undefined) document.status = body.status as string;
  const isChanged = revise(world, document, {
    fields: compact({ ...document.fields, ...given }),
    changeLog: body.changeLog as string | undefined,
  });
  compareAcknowledgement(document, reply, !isChanged && !isNewStatus);
}

/** Stores new fields as the next revision. Returns false if they are the current ones. */
function revise(
  world: World,
  document: Document,
  { fields, changeLog }: { fields: DocumentFields; changeLog?: string | null },
): boolean {
  if (Bun.deepEquals(fields, document.fields)) return false;
  const createdAt = world.clock.now();
  document.revision++;
  document.fields = fields;
  document.lastChangedAt = createdAt;
  document.versions.unshift({ version: document.revision, fields, changeLog, createdAt });
  return true;
}

/** `of` is the document whose versions are chosen from, if it is another one: its versions are unknown ids here. */
export async function restoreDocument(
  world: World,
  step: Change & { version: number; of?: number },
): Promise<void> {
  const { documents } = world.records;
  const target = chosen(documents, step.document);
  if (target && !target.isGone) await compareVersions(world, target, target.user === "other" ? 2 : 0);
  const source = step.of === undefined ? target : chosen(documents, step.of);
  const named = source && chosen(source.versions, step.version);
  const version = source === target ? named : undefined;
  const { headers, members } = preconditionsOf(target, step.conditions);
  const body = { versionId: named?.id ?? UNKNOWN_ID, ...members };
  const path = `/v1/documents/${idOf(target)}/restore`;
  const ask: Ask = {
    ...{ by: step.by, operation: "POST /v1/documents/{id}/restore", path, body, key: step.key },
    ...headers,
  };
  await exchange(world, ask, (sent): Outcome => {
    const document = ownOf(target, userOf(sent.by));
    if (!document) return rejected(404);
    const refusal = guard(world, document, { ...sent, expectedRevision: members.expectedRevision });
    // The specification does not say whether an unknown version or a failed precondition is reported first.
    if (!version) return refusal ? { status: [404, refusal.status].flat() } : rejected(404);
    if (refusal) return refusal;
    return {
      status: 200,
      apply(reply) {
        const isChanged = revise(world, document, { fields: version.fields, changeLog: null });
        compareAcknowledgement(document, reply, !isChanged);
      },
    };
  });
}

export async function deleteDocument(world: World, step: Change): Promise<void> {
  const target = chosen(world.records.documents, step.document);
  const { ifMatch } = preconditionsOf(target, step.conditions).headers;
  const ask = {
    by: step.by,
    operation: "DELETE /v1/documents/{id}",
    path: `/v1/documents/${idOf(target)}`,
    ifMatch,
  };
  await exchange(world, ask, ({ by }): Outcome => {
    const document = ownOf(target, userOf(by));
    if (!document) return rejected(404);
    if (!matches(document, ifMatch)) return rejected(412, "REVISION_MISMATCH");
    return {
      status: 200,
      apply(reply) {
        assert.deepEqual(reply.body, { success: true, id: document.id });
        document.isGone = true;
        dropFromCollections(world.records, document);
      },
    };
  });
}

/** Reads a document, its versions and, as the owner, compares all of it with the model. */
export async function readDocument(world: World, step: { by: Actor; document: number }): Promise<void> {
  const target = chosen(world.records.documents, step.document);
  const document = ownOf(target, userOf(step.by));
  const ask = { by: step.by, operation: "GET /v1/documents/{id}", path: `/v1/documents/${idOf(target)}` };
  const reply = await exchange(world, ask, () => (document ? { status: 200 } : rejected(404)));
  if (!document) {
    const path = `${ask.path}/versions`;
    await exchange(world, { ...ask, operation: "GET /v1/documents/{id}/versions", path }, () =>
      rejected(404),
    );
    return;
  }
  const { contentHtml, rawHtml, sourceUrl, ...rest } = document.fields;
  const { id, revision, status, workspaceId, createdAt, lastChangedAt } = document;
  const expected = {
    ...{
      id,
      revision,
      status,
      workspaceId,
      createdAt,
      lastChangedAt,
      ...rest,
      contentHtml,
      rawHtml,
      sourceUrl,
    },
    isArchived: status === "archived",
    currentVersion: revision,
    contentHash: hashOf(rest.content),
    sourceType: "manual",
  };
  compareMembers(reply.body.data, expected, "document");
  learnHeaders(document, reply);
  const current = etagOf(document);
  const earlier = [...document.etags.values()].find((etag) => etag !== current) ?? '"other"';
  await exchange(world, { ...ask, ifNoneMatch: earlier }, () => ({ status: 200 }));
  await exchange(world, { ...ask, ifNoneMatch: `${earlier}, ${current}` }, () => ({ status: 304 }));
  await compareVersions(world, document, step.by);
}

async function compareVersions(world: World, document: Document, by: Actor): Promise<void> {
  const path = `/v1/documents/${document.id}/versions`;
  const ask = { by, operation: "GET /v1/documents/{id}/versions", path };
  const { body } = await exchange(world, ask, () => ({ status: 200 }));
  assert.equal(body.data.length, document.versions.length, "number of versions");
  for (const [index, version] of document.versions.entries()) {
    const { fields, changeLog, createdAt } = version;
    version.id ??= body.data[index].id as string;
    const expected = {
      ...{ id: version.id, versionId: version.id, documentId: document.id, version: version.version },
      ...{ title: fields.title, content: fields.content, contentHtml: fields.contentHtml, createdAt },
      ...{ contentHash: hashOf(fields.content), snapshotCompleteness: "complete" },
      ...(changeLog !== null && { changeLog }),
    };
    compareMembers(body.data[index], expected, `version ${version.version}`);
  }
  const ids = document.versions.map(({ id }) => id);
  assert.equal(new Set(ids).size, ids.length, "version ids are unique");
}

export interface DocumentFilter {
  status?: string;
  search?: string;
  tags?: string;
  workspace?: string;
  includeArchived?: boolean;
  includeContent?: boolean;
  collection?: number;
}

export async function listDocuments(
  world: World,
  step: { by: Actor; filter: DocumentFilter },
): Promise<void> {
  const { collection: pick, ...filter } = step.filter;
  const collection = pick === undefined ? undefined : chosen(world.records.collections, pick);
  const query = new URLSearchParams({ limit: "100" });
  for (const [name, value] of Object.entries(filter)) if (value !== undefined) query.set(name, String(value));
  if (pick !== undefined) query.set("collectionId", idOf(collection));
  const ask = { by: step.by, operation: "GET /v1/documents", path: `/v1/documents?${query}` };
  const { body } = await exchange(world, ask, () => ({ status: 200 }));
  const expected = world.records.documents
    .filter((document) => ownOf(document, userOf(step.by)))
    .filter(({ status }) => filter.status === undefined || status === filter.status)
    .filter(({ status }) => status !== "archived" || filter.includeArchived || filter.status === "archived")
    .filter(({ fields }) => contains(fields.title, filter.search ?? "") && hasTags(fields.tags, filter.tags))
    .filter(({ workspaceId }) => filter.workspace === undefined || workspaceId === filter.workspace)
    .filter(
      (document) =>
        pick === undefined ||
        (ownOf(collection, userOf(step.by))?.items.some(({ record }) => record === document) ?? false),
    )
    .reverse();
  assert.deepEqual(
    body.data.map(({ id }: { id: string }) => id),
    expected.map(({ id }) => id),
    "ids of the list",
  );
  for (const [index, { fields, status, workspaceId }] of expected.entries()) {
    const { title, tags } = fields;
    const content = filter.includeContent ? fields.content : undefined;
    const item = { title, tags, status, isArchived: status === "archived", workspaceId, content };
    compareMembers(body.data[index], item, "list item");
  }
}
