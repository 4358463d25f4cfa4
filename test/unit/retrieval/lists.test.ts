// Where pages of lists are read: filters that may scan many records go to the search worker, others do not.

import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { resolve } from "node:path";
import { migrate } from "../../../src/db/migrate.ts";
import { openStore } from "../../../src/db/open-store.ts";
import { pageOfDocuments } from "../../../src/features/documents/list.ts";
import { pageOfPrompts } from "../../../src/features/prompts/list.ts";
import { ManualClock } from "../../../src/kernel/clock.ts";
import { createIdSource } from "../../../src/kernel/ids.ts";
import type { SearchWorker } from "../../../src/retrieval/search/worker.ts";

const database = new Database(":memory:");
migrate(database, resolve(import.meta.dir, "../../../migrations"), "0.0.0");
const store = openStore(database, new ManualClock(), createIdSource());
const page = { after: undefined, count: 2 };

/** A search worker that only records which of its functions were called. */
function recordingWorker() {
  const calls: string[] = [];
  const record = (name: string) => async () => {
    calls.push(name);
    return [];
  };
  const call = { documentList: record("documentList"), promptList: record("promptList") };
  return { calls, searchWorker: { call } as unknown as SearchWorker };
}

test.each([
  [{}, []],
  [{ workspaceId: "w" }, []],
  [{ text: "kettle" }, ["documentList", "promptList"]],
  [{ text: "" }, ["documentList", "promptList"]],
  [{ tags: ["a"] }, ["documentList", "promptList"]],
])("%j", async (filter, expected) => {
  const { calls, searchWorker } = recordingWorker();
  const all = { userId: "u", tags: [], ...filter };
  await pageOfDocuments({ store, searchWorker }, { ...all, includeArchived: false }, page);
  await pageOfPrompts({ store, searchWorker }, { ...all, includePublic: true }, page);
  expect(calls).toEqual(expected);
});
