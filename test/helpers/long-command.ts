// A command in a process of its own that holds the data directory for long, or is the client of the process that does.
// Argument: the data directory. Reads requests from stdin, one line of JSON each, and prints their replies in the same
// way. It must not import bun:test.

import { createInterface } from "node:readline";
import { openClient } from "../../src/cli/client.ts";

const dataDir = process.argv[2] ?? "";
const client = await openClient({ dataDir, user: "owner@localhost", creates: true, indexes: true });
process.once("SIGTERM", async () => {
  await client.close();
  process.exit();
});
// After the handler, because its reader may send a signal immediately.
console.log(JSON.stringify({ usesServer: await client.usesServer() }));
for await (const line of createInterface({ input: process.stdin })) {
  const { method, path, body } = JSON.parse(line);
  const reply = await client.request(method, path, { body });
  console.log(
    JSON.stringify({ status: reply.status, body: reply.body, usesServer: await client.usesServer() }),
  );
}
