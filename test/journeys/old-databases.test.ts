// Database files of every earlier schema: each is opened by the program as it is now, read through the HTTP edge, and
// indexed again where a migration requires it.

import { afterEach, expect, test } from "bun:test";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { openLocalStore } from "../../src/app.ts";
import { findLinkedUser, identitiesOf } from "../../src/auth/external-identities.ts";
import { findUser } from "../../src/auth/users.ts";
import { isErasureRequested } from "../../src/db/erasure.ts";
import { migrate } from "../../src/db/migrate.ts";
import { databasePath, openDatabase } from "../../src/db/open.ts";
import { findTrashed, restoreFromTrash } from "../../src/db/trash.ts";
import { findReceipt } from "../../src/db/receipts.ts";
import { ManualClock } from "../../src/kernel/clock.ts";
import { INDEX_FORMAT } from "../../src/retrieval/generations/generations.ts";
import { openQuestions } from "../../src/features/console/agents/store.ts";
import { listFolders } from "../../src/features/console/folders/store.ts";
import { listPins } from "../../src/features/console/pins/store.ts";
import { findLinks, listRemotes } from "../../src/features/console/remotes/store.ts";
import { startUpkeep } from "../../src/maintenance/upkeep.ts";
import { VERSION } from "../../src/base/version.ts";
import {
  ACTIVITY,
  API_KEY,
  AGENT,
  BREAD,
  COLLECTION,
  FENCE,
  FOLDER,
  GUEST,
  IDENTITY,
  KETTLE,
  KETTLE_CHUNKS,
  LABEL,
  LEAVING,
  OWNER,
  PARENT_COLLECTION,
  PROMPT,
  RECEIPT,
  REMOTE,
  SCRAPED,
  SESSION,
  TRASHED,
  versionId,
  WRITTEN_AT,
} from "../fixtures/old-databases/records.ts";
import { type FakeEmbedder, fakeEmbedder, GENEROUS } from "../helpers/embedder.ts";
import { type Client, createClient, makeTempDir, type Started, startServer } from "../helpers/start.ts";

const FILES = resolve(import.meta.dir, "../fixtures/old-databases");
const MIGRATIONS = resolve(import.meta.dir, "../../migrations");
const WORDS_DROPPED = 4;

const migrations = readdirSync(MIGRATIONS).sort();
const databases = readdirSync(FILES)
  .filter((name) => name.endsWith(".db.gz"))
  .sort();
const cases = databases.map((file) => [file, Number(file.slice(0, 4))] as const);

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** A data directory that holds a copy of an old database. */
function unpack(file: string): string {
  const folder = makeTempDir("ctxrepo-old-");
  folders.push(folder);
  writeFileSync(databasePath(folder), Bun.gunzipSync(readFileSync(join(FILES, file))));
  return folder;
}

interface Opened {
  started: Started;
  /** Requests with the key that is stored in the old database. */
  client: Client;
  embedder: FakeEmbedder;
}

/** Starts a server on an old database, an hour after it was written, and waits until its jobs are done. */
async function open(dataDir: string): Promise<Opened> {
  const embedder = fakeEmbedder("words-1", GENEROUS);
  const started = startServer({ dataDir, embedder, clock: new ManualClock(WRITTEN_AT + 3_600_000) });
  await started.app.spaces.current();
  await started.settle();
  return { started, embedder, client: createClient(started.url, API_KEY.text, started.send) };
}

test("there is an old database for every migration", () => {
  expect(databases).toEqual(migrations.map((name) => name.replace(/\.sql$/, ".db.gz")));
});

test.each(cases)("%s opens for commands", (file, number) => {
  const dataDir = unpack(file);
  const store = openLocalStore(dataDir, new ManualClock(WRITTEN_AT));
  expect(store.sql.query("PRAGMA user_version").get()).toEqual({ user_version: migrations.length });
  expect(store.sql.query("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
  expect(store.sql.query("PRAGMA foreign_key_check").all()).toEqual([]);
  const { operation, key, ...response } = RECEIPT;
  const stored = findReceipt(store, { userId: OWNER.id, operation, key }, WRITTEN_AT);
  expect(stored).toEqual(number < 2 ? undefined : response);
  store.close();
});

test.each(cases)("%s names this version after the migration, if there was one", (file, number) => {
  const dataDir = unpack(file);
  openLocalStore(dataDir).close();
  const database = openDatabase(dataDir);
  const stored = database.query("SELECT value FROM instance WHERE key = 'migrated-by'").get();
  expect(stored).toEqual(number < migrations.length ? { value: VERSION } : null);
  database.close();
});

test("a database of a newer version is rejected with the version that can open it", () => {
  const dataDir = makeTempDir("ctxrepo-newer-");
  folders.push(dataDir);
  openLocalStore(dataDir).close();
  const database = openDatabase(dataDir);
  const newer = migrations.length + 1;
  // As a program does that has one more migration.
  const next = makeTempDir();
  folders.push(next);
  for (const name of migrations) writeFileSync(join(next, name), readFileSync(join(MIGRATIONS, name)));
  writeFileSync(
    join(next, `${String(newer).padStart(4, "0")}-next.sql`),
    "CREATE TABLE novelty (id TEXT) STRICT;",
  );
  migrate(database, next, "7.1.0");
  database.close();
  expect(() => openLocalStore(dataDir)).toThrow(
    `this database was written by a newer version of ctxrepo (schema ${newer}; this one reads up to ${migrations.length}): use version 7.1.0 or later`,
  );
});

test("the removal of a user that had begun is finished", async () => {
  const { started } = await open(unpack("0013-removed-users.db.gz"));
  for (const [table, id] of [
    ["users", LEAVING.id],
    ["documents", LEAVING.document.id],
  ] as const)
    expect(started.app.store.sql.query(`SELECT id FROM ${table} WHERE id = ?`).get(id)).toBeNull();
  await started.stop();
});

test("the erasure that a deletion requested is done", async () => {
  const { started } = await open(unpack("0015-erasure.db.gz"));
  expect(isErasureRequested(started.app.store)).toBeTrue();
  const stop = startUpkeep(started.app);
  while (isErasureRequested(started.app.store)) await Bun.sleep(20);
  stop();
  await started.stop();
});

test("the remembered folders are read", () => {
  const store = openLocalStore(unpack("0016-folders.db.gz"), new ManualClock(WRITTEN_AT));
  const { path, options } = FOLDER;
  expect(listFolders(store, OWNER.id)).toEqual([
    { path, ...options, addedAt: WRITTEN_AT - 1, importedAt: WRITTEN_AT },
  ]);
  store.close();
});

test("the other servers and the pairs of records are read", () => {
  const store = openLocalStore(unpack("0019-remotes.db.gz"), new ManualClock(WRITTEN_AT));
  const { id, name, url, otherId } = REMOTE;
  expect(listRemotes(store, OWNER.id)).toMatchObject([{ id, name, url, links: 1, conflicts: 0 }]);
  expect(findLinks(store, id, { side: "own", ids: [BREAD.id] })).toMatchObject([{ otherId, conflict: null }]);
  store.close();
});

test("what is in the trash can be restored", () => {
  const store = openLocalStore(unpack("0020-trash.db.gz"), new ManualClock(WRITTEN_AT));
  const { id, title, content } = TRASHED;
  const trashed = findTrashed(store, OWNER.id, id);
  expect(trashed).toEqual({ id, type: "document", title, deletedAt: WRITTEN_AT });
  store.write((write) => restoreFromTrash(write, OWNER.id, trashed!));
  expect(store.sql.query("SELECT text FROM bodies WHERE document_id = ?").get(id)).toEqual({ text: content });
  store.close();
});

test("what agents have asked is read", async () => {
  const { started } = await open(unpack("0021-activity.db.gz"));
  const { text, agent, at } = ACTIVITY;
  expect(openQuestions(started.app.store, OWNER.id)).toEqual([
    { kind: "question", text, agent, times: 2, at },
  ]);
  await started.stop();
});

test("the version of a prompt with a label is read", async () => {
  const { started, client } = await open(unpack("0022-prompt-labels.db.gz"));
  const { body } = await client("GET", `/v1/prompts/${PROMPT.id}?label=${LABEL}`);
  expect(body.data).toMatchObject({ label: LABEL, version: 1 });
  await started.stop();
});

test("pinned records are read", async () => {
  const { started } = await open(unpack("0023-pins.db.gz"));
  const pinned = listPins(started.app.store, OWNER.id, ["document", "prompt", "collection"]);
  expect(pinned).toEqual(
    expect.arrayContaining([
      { id: BREAD.id, type: "document", title: BREAD.title },
      { id: PROMPT.id, type: "prompt", title: PROMPT.title },
    ]),
  );
  await started.stop();
});

test("who has written versions is read", async () => {
  const agentOf = async (file: string) => {
    const { started } = await open(unpack(file));
    const { body } = await started.client("GET", `/v1/documents/${BREAD.id}/versions`);
    return body.data.at(-1).actor?.agent;
  };
  expect([await agentOf("0017-searched-labels.db.gz"), await agentOf("0018-agents.db.gz")]).toEqual([
    undefined,
    AGENT,
  ]);
});

test("the tags of documents that were indexed before are searched", async () => {
  const { started } = await open(unpack("0016-folders.db.gz"));
  await started.settle();
  const [tag] = KETTLE.tags;
  const { body } = await started.client("GET", `/v1/search?q=${encodeURIComponent(tag!)}&semantic=true`);
  expect(body.data.documents.map(({ documentId }: { documentId: string }) => documentId)).toContain(
    KETTLE.id,
  );
  await started.stop();
});

test.each(cases)("%s says who created its users, and who signs in as them", (file, number) => {
  const store = openLocalStore(unpack(file), new ManualClock(WRITTEN_AT));
  const origin = (id: string) => findUser(store, id)?.origin;
  // The owner's first key is as old as the owner, as `keys create` makes both. The guest never had one.
  expect([origin(OWNER.id), origin(GUEST.id)]).toEqual(["command", "provider"]);
  expect(identitiesOf(store, GUEST.id)).toEqual(number < 14 ? [] : [IDENTITY]);
  expect(findLinkedUser(store, IDENTITY)?.id).toBe(number < 14 ? undefined : GUEST.id);
  store.close();
});

test("a user whose key is younger may have been created by a provider, and the local owner was not", () => {
  const dataDir = unpack("0013-removed-users.db.gz");
  const database = openDatabase(dataDir);
  database.run("UPDATE api_keys SET created_at = created_at + 1");
  database.run("UPDATE api_keys SET user_id = ? WHERE public_id = ?", [GUEST.id, API_KEY.publicId]);
  database.close();
  const store = openLocalStore(dataDir, new ManualClock(WRITTEN_AT));
  expect([OWNER.id, GUEST.id].map((id) => findUser(store, id)?.origin)).toEqual(["command", "provider"]);
  store.close();
});

test.each(cases)("%s serves documents, chunks and searches", async (file, number) => {
  const { started, client } = await open(unpack(file));
  try {
    expect((await client("GET", "/v1/user/me")).body.data).toMatchObject({
      userId: OWNER.id,
      name: OWNER.name,
    });

    const { body: list } = await client("GET", "/v1/documents");
    const titles = list.data.map(({ title }: { title: string }) => title);
    expect(titles.sort()).toEqual([BREAD.title, KETTLE.title, ...(number < 5 ? [] : [SCRAPED.title])]);
    expect((await client("GET", `/v1/documents/${KETTLE.id}`)).body.data).toMatchObject({
      title: KETTLE.title,
      content: KETTLE.content,
      tags: KETTLE.tags,
      metadata: KETTLE.metadata,
      sourceUrl: KETTLE.sourceUrl,
      workspaceId: "home",
      revision: 1,
    });
    const { body: versions } = await client("GET", `/v1/documents/${KETTLE.id}/versions`);
    expect(versions.data).toMatchObject([
      { id: versionId("Kettle", 1), version: 1, changeLog: "cleaning", content: KETTLE.content },
      { id: versionId("Kettle", 0), version: 0, title: KETTLE.firstTitle, content: KETTLE.firstContent },
    ]);

    const search = async (parameters: string) => {
      const { status, body } = await client("GET", `/v1/search?${parameters}`);
      expect(status).toBe(200);
      return body.data.documents.map(({ documentId }: { documentId: string }) => documentId);
    };
    expect(await search("q=limescale&semantic=false")).toEqual([KETTLE.id]);
    expect(await search("q=ANF%C3%84NGER&semantic=false")).toEqual([BREAD.id]);
    expect(await search("q=vinegar+limescale&scoreThreshold=0.3")).toEqual([KETTLE.id]);
    const found = await client("POST", "/v1/pd/search", { query: "kettle whistles", detailLevel: "full" });
    const [best] = found.body.data.results;
    expect(best.content).toBe(KETTLE_CHUNKS[2]?.part);
    const up = await client("POST", "/v1/pd/expand", { chunkId: best.chunkId, direction: "up" });
    expect(up.body.data.chunks[0].content).toBe(KETTLE_CHUNKS[1]?.part);

    const patched = await client("PATCH", `/v1/documents/${BREAD.id}`, { content: "Buy a pretzel." });
    expect([patched.status, patched.body.data?.revision]).toEqual([200, 1]);
    await started.settle();
    expect(await search("q=pretzel&semantic=false")).toEqual([BREAD.id]);
  } finally {
    await started.stop();
  }
});

test.each(cases)("%s: a file has one record", async (_file, number) => {
  const { started, client } = await open(unpack(_file));
  try {
    const post = () =>
      client("POST", "/v1/documents", { title: "b", content: "c", metadata: BREAD.metadata });
    expect([(await post()).status, (await post()).status]).toEqual([number < 11 ? 201 : 409, 409]);
  } finally {
    await started.stop();
  }
});

test("tags that were written before canonical forms were stored are found in any form", async () => {
  const dataDir = unpack("0006-index-format.db.gz");
  const database = openDatabase(dataDir);
  database.query("UPDATE documents SET tags = ? WHERE id = ?").run('["Cafe\u0301"]', KETTLE.id);
  database.close();
  const { started, client } = await open(dataDir);
  try {
    for (const form of ["NFC", "NFD"]) {
      const tag = encodeURIComponent("Caf\u00e9".normalize(form));
      const { body } = await client("GET", `/v1/documents?tags=${tag}`);
      expect(body.data.map(({ id }: { id: string }) => id)).toEqual([KETTLE.id]);
      expect(body.data[0].tags).toEqual(["Cafe\u0301"]);
    }
  } finally {
    await started.stop();
  }
});

test.each(cases.filter(([, number]) => number >= 3))(
  "%s serves prompts and collections",
  async (file, number) => {
    const { started, client } = await open(unpack(file));
    try {
      expect((await client("GET", `/v1/prompts/${PROMPT.id}`)).body.data).toMatchObject({
        title: PROMPT.title,
        content: PROMPT.content,
        tags: PROMPT.tags,
        variables: PROMPT.variables,
        parameters: PROMPT.parameters,
        metadata: number < 8 ? {} : PROMPT.metadata,
        isPublic: true,
        currentVersion: 2,
        stats: { views: PROMPT.views },
      });
      const { body: versions } = await client("GET", `/v1/prompts/${PROMPT.id}/versions`);
      expect(versions.data.map(({ content }: { content: string }) => content)).toEqual([
        PROMPT.content,
        PROMPT.firstContent,
      ]);
      const { body: found } = await client("GET", "/v1/search?q=summarise+texts&scoreThreshold=0.1");
      expect(found.data.prompts[0].promptId).toBe(PROMPT.id);

      expect((await client("GET", `/v1/collections/${COLLECTION.id}`)).body.data).toMatchObject({
        name: COLLECTION.name,
        tags: COLLECTION.tags,
        parentCollectionId: PARENT_COLLECTION.id,
      });
      const { body: items } = await client("GET", `/v1/collections/${COLLECTION.id}/items`);
      expect(items.data.map(({ title }: { title: string }) => title)).toEqual([PROMPT.title, KETTLE.title]);

      const { body: coordination } = await client("GET", `/v1/documents/${KETTLE.id}/coordination`);
      expect(coordination.data).toMatchObject({ policy: "lease_required", fence: FENCE });
      const rejected = await client("PATCH", `/v1/documents/${KETTLE.id}`, {
        title: "x",
        expectedRevision: 1,
      });
      expect(rejected.status).toBe(428);
      const session = await client("POST", "/v1/pd/search", {
        query: "kettle whistles",
        sessionId: SESSION.id,
      });
      expect(session.status).toBe(200);
    } finally {
      await started.stop();
    }
  },
);

const live = ({ app }: Started) =>
  app.store.sql
    .query<{ documentId: string; format: number; words: number }, []>(
      `SELECT document_id AS documentId, format, (
         SELECT count(*) FROM chunk_words WHERE rowid >= first_chunk AND rowid < first_chunk + chunk_count
       ) AS words
       FROM index_generations WHERE state = 'live' AND document_id = '${KETTLE.id}'`,
    )
    .get();
const INDEXED = { documentId: KETTLE.id, format: INDEX_FORMAT, words: 4 };
/** Passages of KETTLE that are embedded when it is indexed again. */
const KETTLE_PASSAGES = 2;

test.each(cases)("%s: words are indexed again exactly where they were dropped", async (file, number) => {
  const { started, embedder } = await open(unpack(file));
  try {
    expect(live(started)).toEqual(INDEXED);
    const others = number < 5 ? 1 : 2;
    expect(embedder.embedded).toBe(others + (number < WORDS_DROPPED ? KETTLE_PASSAGES : 0));
  } finally {
    await started.stop();
  }
});

test("a database that a version with migration 0004 left without words is indexed again, once", async () => {
  const dataDir = unpack("0003-resources.db.gz");
  const until5 = makeTempDir();
  folders.push(until5);
  for (const name of migrations.slice(0, 5))
    writeFileSync(join(until5, name), readFileSync(join(MIGRATIONS, name)));
  const database = openDatabase(dataDir);
  expect(migrate(database, until5, "0.0.0")).toEqual(["0004-words-in-any-script.sql", "0005-scraping.sql"]);
  database.close();

  const first = await open(dataDir);
  expect(live(first.started)).toEqual(INDEXED);
  await first.started.stop();
  const second = await open(dataDir);
  expect(second.embedder.embedded).toBe(0);
  await second.started.stop();
});

test("rows of another index format are made again, with the same model", async () => {
  const dataDir = unpack(databases.at(-1)!);
  const first = await open(dataDir);
  first.started.app.store.sql.run(`UPDATE index_generations SET format = ${INDEX_FORMAT - 1}`);
  await first.started.stop();
  const second = await open(dataDir);
  expect(live(second.started)).toEqual(INDEXED);
  // The texts are the same, so their vectors are used again.
  expect(second.embedder.embedded).toBe(0);
  await second.started.stop();
});
