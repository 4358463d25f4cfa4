// A database of version 0.2.0 in which files have several records, because two imports ran at the same time: one is
// kept as the record of the file, and nothing of the others is lost.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { databasePath, openDatabase } from "../../src/db/open.ts";
import { ManualClock } from "../../src/kernel/clock.ts";
import { checkImports } from "../../src/maintenance/checks/database.ts";
import {
  API_KEY,
  COLLECTION,
  GUEST,
  OWNER,
  PARENT_COLLECTION,
  PROMPT,
  versionId,
  WRITTEN_AT,
} from "../fixtures/old-databases/records.ts";
import { body, document, insert, version } from "../fixtures/old-databases/rows.ts";
import { fakeEmbedder, GENEROUS } from "../helpers/embedder.ts";
import { type Client, createClient, makeTempDir, type Started, startServer } from "../helpers/start.ts";

const FILE = resolve(import.meta.dir, "../fixtures/old-databases/0010-reliability.db.gz");
/** The path of a file, and its records in the order in which they were made, with when each changed last. */
const FILES: [path: string, kept: string, records: [name: string, updatedAt: number, more?: object][]][] = [
  [
    "/n/twice.md",
    "Twice2",
    [
      ["Twice1", 1],
      ["Twice2", 2],
    ],
  ],
  [
    "/n/edited.md",
    "Edited1",
    [
      ["Edited1", 9],
      ["Edited2", 2],
    ],
  ],
  [
    "/n/archived.md",
    "Archived2",
    [
      ["Archived1", 9, { status: "archived" }],
      ["Archived2", 2],
      ["Archived3", 1],
    ],
  ],
];
const idOf = (name: string) => `3F${name.padStart(25, "0")}`;
const imported = (path: string) => ({
  author: "Ada",
  importPath: path,
  importHash: "sha256:1",
  importState: "1",
});

describe("files with several records", () => {
  const folder = makeTempDir("ctxrepo-twice-");
  let started: Started;
  let client: Client;

  beforeAll(async () => {
    writeFileSync(databasePath(folder), Bun.gunzipSync(readFileSync(FILE)));
    const database = openDatabase(folder);
    for (const [path, , records] of FILES) {
      for (const [index, [name, updatedAt, more]] of records.entries()) {
        const id = idOf(name);
        const row = document(id, name, name, WRITTEN_AT + index);
        const metadata = JSON.stringify(imported(path));
        insert(database, "documents", { ...row, metadata, updated_at: WRITTEN_AT + updatedAt, ...more });
        insert(database, "bodies", body(id, name));
        insert(database, "document_versions", {
          ...version(name, 0, { id, title: name, content: name }),
          metadata,
        });
      }
    }
    const elsewhere = document(idOf("Guests"), "g", "g", WRITTEN_AT);
    const metadata = JSON.stringify(imported("/n/twice.md"));
    insert(database, "documents", { ...elsewhere, user_id: GUEST.id, metadata });
    // A file that was a prompt at first, and has been a document since.
    database.query("UPDATE prompts SET metadata = ?").run(JSON.stringify(imported("/n/twice.md")));
    const item = { prompt_id: null, added_by: OWNER.id };
    insert(
      database,
      "collection_items",
      { ...item, id: idOf("I1"), collection_id: COLLECTION.id, document_id: idOf("Twice1"), added_at: 1 },
      {
        ...item,
        id: idOf("I2"),
        collection_id: PARENT_COLLECTION.id,
        document_id: idOf("Twice1"),
        added_at: 1,
      },
      {
        ...item,
        id: idOf("I3"),
        collection_id: PARENT_COLLECTION.id,
        document_id: idOf("Twice2"),
        added_at: 2,
      },
    );
    database.run("UPDATE prompts SET updated_at = 0");
    database.close();
    const embedder = fakeEmbedder("words-1", GENEROUS);
    started = startServer({ dataDir: folder, embedder, clock: new ManualClock(WRITTEN_AT + 3_600_000) });
    client = createClient(started.url, API_KEY.text, started.send);
  });
  afterAll(async () => {
    await started.stop();
    rmSync(folder, { recursive: true });
  });
  const read = async (name: string) => (await client("GET", `/v1/documents/${idOf(name)}`)).body.data;

  test.each(FILES)(
    "%s belongs to %s; the others name it, are archived and have their versions",
    async (path, kept, records) => {
      for (const [name] of records) {
        const { status, metadata, content } = await read(name);
        expect([name, content]).toEqual([name, name]);
        if (name === kept) expect([status, metadata]).toEqual(["published", imported(path)]);
        else
          expect([status, metadata]).toEqual(["archived", { author: "Ada", importDuplicateOf: idOf(kept) }]);
        const versions = (await client("GET", `/v1/documents/${idOf(name)}/versions`)).body.data;
        expect(versions).toMatchObject([{ id: versionId(name, 0), content: name }]);
      }
    },
  );

  test("a prompt of the same file names the document; other users' records are not compared", async () => {
    const prompt = (await client("GET", `/v1/prompts/${PROMPT.id}`)).body.data;
    expect(prompt.metadata).toEqual({ author: "Ada", importDuplicateOf: idOf("Twice2") });
    const { sql } = started.app.store;
    const guests = sql.query("SELECT import_path AS path FROM documents WHERE user_id = ?").all(GUEST.id);
    expect(guests).toEqual([{ path: "/n/twice.md" }]);
  });

  test("the record that is kept is in the collections of the others", async () => {
    const itemsOf = async (id: string) => {
      const { data } = (await client("GET", `/v1/collections/${id}/items`)).body;
      return data.map(({ title }: { title: string }) => title);
    };
    expect(await itemsOf(COLLECTION.id)).toContain("Twice2");
    expect(await itemsOf(COLLECTION.id)).not.toContain("Twice1");
    expect(await itemsOf(PARENT_COLLECTION.id)).toEqual(["Twice2"]);
  });

  test("an earlier version of another record can be restored, and does not take the file back", async () => {
    const versionOf = { versionId: versionId("Twice1", 0) };
    await client("PATCH", `/v1/documents/${idOf("Twice1")}`, { title: "changed" });
    const restored = await client("POST", `/v1/documents/${idOf("Twice1")}/restore`, versionOf);
    expect([restored.status, (await read("Twice1")).title]).toEqual([200, "Twice1"]);
    expect((await read("Twice1")).metadata).toEqual({ author: "Ada", importDuplicateOf: idOf("Twice2") });
  });

  test("doctor says how many there are, and which", () => {
    const check = checkImports(started.app.store);
    expect([check.status, check.detail]).toEqual(["warn", expect.stringMatching(/^5 records of files/)]);
    expect(check.detail).toContain(idOf("Twice1"));
  });
});
