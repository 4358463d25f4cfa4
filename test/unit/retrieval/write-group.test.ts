// Group commit: rows of documents that are indexed at the same time share a transaction, and not each other's failures.

import { afterEach, beforeEach, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { openLocalStore } from "../../../src/app.ts";
import { ensureUser, LOCAL_OWNER } from "../../../src/auth/users.ts";
import type { Store } from "../../../src/db/store.ts";
import { createDocument } from "../../../src/features/documents/create.ts";
import { ensureSpace, liveGeneration } from "../../../src/retrieval/generations/generations.ts";
import { type DocumentRows, joinWriteGroup } from "../../../src/retrieval/generations/write-group.ts";
import { makeTempDir } from "../../helpers/start.ts";

let dir: string;
let store: Store;
let commits: number;

beforeEach(() => {
  dir = makeTempDir();
  store = openLocalStore(dir);
  commits = 0;
  store.onCommit(() => commits++);
});
afterEach(() => {
  store.close();
  rmSync(dir, { recursive: true });
});

/** Stores documents and returns what their indexing would write. */
function makeDocuments(count: number, rows: DocumentRows["rows"] = []): DocumentRows[] {
  const documents = store.write((write) => {
    const user = ensureUser(write, LOCAL_OWNER);
    const spaceId = ensureSpace(write, { name: "m", revision: "r", dimension: 384, directory: "/" }).id;
    const caller = { kind: "apiKey", userId: user.id, email: LOCAL_OWNER, name: null, scopes: [] } as const;
    return Array.from({ length: count }, (_, i) => {
      const content = `Text ${i}`;
      const row = createDocument(write, { ...caller, credentialId: "" }, { title: "t", content });
      const { id, userId, revision, title, contentHash } = row;
      const revised = { documentId: id, userId, revision, title, contentHash, labelsHash: "" };
      return { generation: { ...revised, spaceId, chunkCount: 1 }, rows };
    });
  });
  commits = 0;
  return documents;
}

const isLive = ({ generation }: DocumentRows) => liveGeneration(store, generation.documentId) !== undefined;
const writeAll = (documents: readonly DocumentRows[]) => {
  const members = documents.map(() => joinWriteGroup(store));
  return Promise.allSettled(documents.map((document, i) => members[i]!.write(document)));
};

test("documents that are indexed at the same time are written in one commit", async () => {
  const documents = makeDocuments(5);
  await writeAll(documents);
  expect(commits).toBe(1);
  expect(documents.every(isLive)).toBe(true);
});

test("at most eight documents are in a commit, and fewer if they have many rows", async () => {
  const documents = makeDocuments(9);
  await writeAll(documents);
  expect(commits).toBe(2);
  const large = makeDocuments(
    4,
    Array.from({ length: 20 }, () => () => {}),
  );
  await writeAll(large);
  expect(commits).toBe(4);
  expect([...documents, ...large].every(isLive)).toBe(true);
});

test("a document is not written before the others that are indexed have left or some time has passed", async () => {
  const [document] = makeDocuments(1);
  const [mine, other] = [joinWriteGroup(store), joinWriteGroup(store)];
  const writing = mine.write(document!);
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(commits).toBe(0);
  other.leave();
  other.leave();
  await writing;
  expect(commits).toBe(1);

  // The member that leaves twice does not count for another one.
  const stuck = joinWriteGroup(store);
  const [next] = makeDocuments(1);
  await joinWriteGroup(store).write(next!);
  expect(isLive(next!)).toBe(true);
  stuck.leave();
});

test("a document that fails does not make others fail", async () => {
  const documents = makeDocuments(3);
  documents[1]!.rows = [
    () => {
      throw new Error("a damaged page");
    },
  ];
  const results = await writeAll(documents);
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(documents.map(isLive)).toEqual([true, false, true]);
});

test("a document that was changed meanwhile is not published, the others are", async () => {
  const documents = makeDocuments(3);
  const { documentId } = documents[1]!.generation;
  store.write(
    (write) => void write.sql.run("UPDATE documents SET revision = revision + 1 WHERE id = ?", [documentId]),
  );
  await writeAll(documents);
  expect(documents.map(isLive)).toEqual([true, false, true]);
});
