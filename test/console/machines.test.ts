// The view Machines, in a real browser: the last run and a conflict with both sides.

import { beforeAll, describe, expect, test } from "bun:test";
import { CHROMIUM, type ConsolePage, useConsole } from "../helpers/browser.ts";
import { useServer } from "../helpers/start.ts";
import { commandOf, peerAt, run } from "../sync/two-servers.ts";

describe.skipIf(!CHROMIUM)("machines", () => {
  const server = useConsole();
  const there = useServer({ socket: true });
  let p: ConsolePage;

  beforeAll(async () => {
    p = await server.signIn();
  });

  test("without a remote, the view says how to name one", async () => {
    await p.open("/console/machines");
    await p.sees("ctxrepo remote add");
  });

  test("a conflict is shown with both sides, and hostile text of the other one is only text", async () => {
    const command = commandOf(server);
    const body = { name: "desk", url: "https://desk.example.org" };
    const remoteId = (await command.request("PUT", "/console/api/remotes", { body })).body.data.id;
    const peer = peerAt(there.url, there.key.key);
    const id = await server.create("/v1/documents", { title: "Tea", content: "one\n\ntwo\n" });
    await run({ command, remoteId, peer });
    const { body: list } = await there.client("GET", "/v1/documents");
    await there.client("PATCH", `/v1/documents/${list.data[0].id}`, {
      content: "one\n\n<img src=x onerror=alert(1)>\n",
    });
    await server.client("PATCH", `/v1/documents/${id}`, { content: "one\n\nours\n" });
    const { counts } = await run({ command, remoteId, peer });
    await command.request("POST", "/console/api/remotes/ended", {
      body: { remoteId, result: { direction: "sync", ...counts } },
    });
    await p.open("/console/machines");
    await p.sees("sync: 1 conflict");
    await p.sees("ours", "figure");
    await p.sees("<img src=x onerror=alert(1)>", ".both-sides");
    expect(await p.page.$("article img")).toBeNull();
  });

  test("nothing has caused an error or a request to another server", () => {
    expect(p.problems()).toEqual([]);
  });
});
