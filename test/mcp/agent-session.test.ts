// A whole session of an agent over HTTP: find, read, expand, edit with revision and lease, get a conflict and resolve
// it, answer with citations.

import { expect, test } from "bun:test";
import { connectOverHttp } from "../helpers/mcp.ts";
import { useServer } from "../helpers/start.ts";

const RUNBOOK = `# Database runbook

## Backups

Backups run every night at two o'clock. They are kept for thirty days.

## Restore

Stop the service before a restore. Restoring the database takes about twenty minutes.

## Owners

The platform team owns the database.`;

const started = useServer({ socket: true });
const { client: person, key, url } = started;

test("an agent finds, reads, edits and answers", async () => {
  const agent = await connectOverHttp("client 2.4.0", { url, key: key.key });
  const call = async (name: string, given: Record<string, unknown>) => {
    const { content, structuredContent, isError = false } = await agent.callTool({ name, arguments: given });
    return { text: content[0].text as string, data: structuredContent, isError };
  };
  const [documentId] = await Promise.all([
    person("POST", "/v1/documents", { title: "Database runbook", content: RUNBOOK, tags: ["ops"] }).then(
      ({ body }) => body.data.id as string,
    ),
    person("POST", "/v1/documents", { title: "Lunch", content: "The canteen opens at noon." }),
  ]);
  await started.settle();
  expect(agent.getInstructions()).toContain("find_items");

  // Find: the catalogue, then the passage.
  const found = await call("find_items", { query: "database backups runbook" });
  expect(found.text).toContain(`**Database runbook** (documentId: ${documentId}, `);
  const passages = await call("deep_search", {
    query: "how long are backups kept",
    documentId,
    sessionId: "new",
  });
  const [, chunkId] = /chunkId: (\w+)[^\n]*\n {2}Backups run/.exec(passages.text)!;

  // Read and expand.
  expect((await call("deep_read", { chunkId })).text).toContain("kept for thirty days");
  expect((await call("deep_expand", { chunkId, direction: "up" })).text).toContain("# Backups");
  const read = await call("get_document", { documentId });
  const [, revision] = /revision (\d+)/.exec(read.text)!;
  expect(revision).toBe("0");

  // Edit with the revision; meanwhile a person has edited, so there is a conflict.
  const edited = RUNBOOK.replace("The platform team", "The data team");
  await person("PATCH", `/v1/documents/${documentId}`, { content: edited });
  const edit = {
    documentId,
    content: RUNBOOK.replace("thirty days", "sixty days"),
    changeLog: "Backups are kept longer",
  };
  const stale = await call("update_document", { ...edit, expectedRevision: 0 });
  expect(stale.isError).toBe(true);
  expect(stale.text).toStartWith("REVISION_MISMATCH");
  expect(stale.text).toContain("Read it again with get_document");

  // Resolve: read again, and change only the passage. Both edits are kept.
  const again = await call("get_document", { documentId });
  expect(again.text).toContain("The data team");
  const merged = await call("update_document", {
    documentId,
    oldText: "thirty days",
    newText: "sixty days",
    changeLog: edit.changeLog,
    expectedRevision: 1,
  });
  expect(merged.data).toEqual({ documentId, revision: 2, changed: true });
  const { content } = (await person("GET", `/v1/documents/${documentId}`)).body.data;
  expect(content).toBe(edited.replace("thirty days", "sixty days"));

  // A person requires leases and holds one: the agent learns what to do, waits, and edits with a lease of its own.
  const { headers } = await person("GET", `/v1/documents/${documentId}`);
  await person("PUT", `/v1/documents/${documentId}/coordination`, {}, { "If-Match": headers.get("etag")! });
  const lease = `/v1/documents/${documentId}/coordination/lease`;
  const held = (await person("POST", lease, { action: "acquire" }, { "Idempotency-Key": "a" })).body.data;
  const change = { documentId, oldText: "two o'clock", newText: "three o'clock", expectedRevision: 2 };
  expect((await call("get_document", { documentId })).text).toContain("Edits require a lease");
  const busy = await call("update_document", change);
  expect(busy.text).toContain("another lease is active");
  const claim = { "X-Service-Lease-Id": held.leaseId, "X-Service-Lease-Fence": String(held.fence) };
  await person("POST", lease, { action: "release" }, { "Idempotency-Key": "b", ...claim });
  const withLease = await call("update_document", change);
  expect(withLease.data).toMatchObject({ revision: 3, changed: true });
  // Its lease has ended with the call; the lease of before is worth nothing.
  const state = await person("GET", `/v1/documents/${documentId}/coordination`);
  expect(state.body.data).toMatchObject({ fence: 2, lease: { state: "none" } });
  const lease0 = `${held.leaseId}/${held.fence}`;
  const old = await call("update_document", { documentId, title: "x", expectedRevision: 3, lease: lease0 });
  expect(old.text).toContain("Somebody else has held the lease since");
  expect(old.text).toContain("repeat the call without lease");
  const unread = await call("update_document", { documentId, title: "x" });
  expect(unread.text).toContain("send its revision as expectedRevision");

  // It holds a lease for several edits.
  const { data: own } = await call("lease_document", { documentId, action: "acquire", seconds: 30 });
  const renamed = { documentId, title: "Runbook of the database", expectedRevision: 3, lease: own.lease };
  expect((await call("update_document", renamed)).data.revision).toBe(4);
  const meanwhile = await person("PATCH", `/v1/documents/${documentId}`, { title: "y", expectedRevision: 4 });
  expect(meanwhile.status).toBe(428);
  await call("lease_document", { documentId, action: "renew", lease: own.lease });
  const released = await call("lease_document", { documentId, action: "release", lease: own.lease });
  expect(released.isError).toBe(false);
  const wrong = await call("lease_document", { documentId, action: "renew", lease: "mine" });
  expect(wrong.text).toContain("lease: has the wrong form");

  // Answer with citations of the current text.
  await started.settle();
  const answer = await call("reason", { query: "How long are backups kept?", documentId });
  const [, cited] = /sixty days\. \[\[(\w+)\]\]/.exec(answer.text)!;
  expect((await call("deep_read", { chunkId: cited })).text).toContain("sixty days");
  // The passage of before the edit is gone, and the failure says what to do.
  const gone = await call("deep_read", { chunkId });
  expect([gone.isError, gone.text.includes("Search again with deep_search")]).toEqual([true, true]);
  await agent.close();
});
