// The short share of the group `kill` of bun run torture, and its oracle on databases with one fault each.

import { afterEach, beforeEach, expect, test } from "bun:test";
import { brokenRules, collectFacts, hashOf, missingFacts } from "../../scripts/torture/facts.ts";
import { kill } from "../../scripts/torture/kill.ts";
import { type Started, startServer } from "../helpers/start.ts";
import { testShare } from "./share.ts";

testShare("the program is killed while clients write", kill, 0.01);

let started: Started;
let id: string;
beforeEach(async () => {
  started = startServer();
  const { client } = started;
  const key = { "Idempotency-Key": "create" };
  const content = "First.";
  id = (await client("POST", "/v1/documents", { title: "key:create", content }, key)).body.data.id;
  await client(
    "PATCH",
    `/v1/documents/${id}`,
    { content: "Second.", changeLog: "key:edit" },
    { "Idempotency-Key": "edit" },
  );
  await started.settle();
});
afterEach(() => started.stop());

/** What the oracle reports after a change of the rows. */
function reported(sql: string): string {
  started.app.store.sql.run("PRAGMA foreign_keys = OFF");
  started.app.store.sql.run(sql);
  const facts = collectFacts(() => 0);
  facts.add({ kind: "version", document: id, version: 1, hash: hashOf("Second.") });
  facts.add({ kind: "receipt", key: "edit" });
  const { sql: database } = started.app.store;
  return [...missingFacts(database, facts.at()), ...brokenRules(database, { isThorough: true })].join("\n");
}

test("the oracle accepts an intact database", () => {
  expect(reported("SELECT 1")).toBe("");
});

test.each([
  ["a version is lost", "DELETE FROM document_versions WHERE version = 1", "lost"],
  ["a version has another text", "UPDATE document_versions SET content_hash = 'x' WHERE version = 1", "lost"],
  [
    "a receipt is lost",
    "DELETE FROM idempotency_receipts WHERE key = 'edit'",
    "changes without their receipt",
  ],
  [
    "the row is older than its versions",
    "UPDATE documents SET revision = 0",
    "receipts without their change",
  ],
  ["a text is lost", "DELETE FROM bodies", "versions without their text"],
  ["a text is another one", "UPDATE bodies SET text = 'x'", "does not match its hash"],
  ["a change was made twice", "UPDATE document_versions SET change_log = 'key:edit'", "made twice"],
  ["a document is not indexed", "UPDATE index_generations SET state = 'dead'", "not indexed"],
  ["a row has no owner", "UPDATE documents SET user_id = 'x'", "missing rows"],
])("the oracle reports it if %s", (_name, sql, expected) => {
  expect(reported(sql)).toContain(expected);
});
