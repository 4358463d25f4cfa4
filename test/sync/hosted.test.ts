// sync with a server as the specification describes the hosted service, in each of the declared variants.

import { afterAll, describe, expect, test } from "bun:test";
import { ManualClock } from "../../src/kernel/clock.ts";
import { authorizationOf } from "../../src/sync/address.ts";
import { openPeer } from "../../src/sync/peer.ts";
import { useServer } from "../helpers/start.ts";
import { hostedStub } from "./hosted-stub.ts";
import { addRemote, commandOf, run } from "./two-servers.ts";

const LINES = "one\n\ntwo\n\nthree\n";

describe.each([
  ["first spelling, versions from 1, POST ignores what it does not know", false, 1, false],
  ["second spelling, versions from 0, POST rejects what it does not know", true, 0, true],
] as const)("%s", (_name, isSecondSpelling, firstVersion, rejectsUnknown) => {
  const here = useServer();
  const command = commandOf(here);
  // Waiting advances the time of both, so that minutes pass at once.
  const clock = new ManualClock(1_795_000_000_000, { advancesOnSleep: true });
  const stub = hostedStub({
    isSecondSpelling,
    firstVersion,
    rejectsUnknown,
    clock,
    limits: { read: 120, write: 100 },
  });
  afterAll(() => stub.stop());
  const peer = openPeer({
    url: stub.url,
    authorization: authorizationOf(stub.key),
    userAgent: "ctxrepo-sync/1.0",
    clock,
    signal: new AbortController().signal,
  });
  let remoteId = "";
  const exchange = async (options: Parameters<typeof run>[1] = {}) => {
    remoteId ||= await addRemote(command);
    return run({ command, remoteId, peer }, options);
  };

  test("130 documents with all fields are pushed within the rate limits, and nothing is sent twice", async () => {
    const metadata = { author: "Ada" };
    const ids: string[] = [];
    for (let index = 0; index < 130; index++) {
      const extra =
        index < 5 ? { metadata, sourceUrl: "https://example.org/tea", contentHtml: "<p>one</p>" } : {};
      const body = { title: `Note ${index}`, content: LINES, tags: ["b", "a"], ...extra };
      ids.push(await here.create("/v1/documents", body));
    }
    const prompt = await here.create("/v1/prompts", { title: "P", description: "d", content: "c", metadata });
    const kitchen = await here.create("/v1/collections", { name: "Kitchen", icon: "🍳" });
    await here.client("POST", `/v1/collections/${kitchen}/items`, {
      itemIds: ids.slice(0, 120),
      itemType: "document",
    });
    await here.client("POST", `/v1/collections/${kitchen}/items`, { itemIds: [prompt], itemType: "prompt" });
    const { counts, memberships } = await exchange();
    expect(counts).toMatchObject({ created: 132, failed: 0, conflict: 0 });
    expect(memberships).toBe(121);
    expect([stub.rows.documents!.size, stub.rows.prompts!.size]).toEqual([130, 1]);
    const full = [...stub.rows.documents!.values()].find((row) => row.title === "Note 0");
    expect(full).toMatchObject({
      content: LINES,
      metadata,
      sourceUrl: "https://example.org/tea",
      contentHtml: "<p>one</p>",
    });
    expect([...stub.rows.collections!.values()][0]!.items).toHaveLength(121);
    // Lanes that are under way when the window closes may be refused once.
    expect(stub.refused()).toBeLessThan(20);
  });

  test("a second run sends only the lists", async () => {
    await exchange();
    const before = stub.requests.length;
    expect((await exchange()).counts).toMatchObject({ created: 0, updated: 0, paired: 0, merged: 0 });
    expect(
      stub.requests.slice(before).filter((line) => !/^GET \/v1\/(documents|prompts|collections)$/.test(line)),
    ).toEqual([]);
  });

  test("changes of both sides are merged, and a member that is added there comes here", async () => {
    const there = [...stub.rows.documents!.values()].find((row) => row.title === "Note 129")!;
    const { body } = await here.client("GET", "/v1/documents?search=Note%20129");
    const [{ id }] = body.data;
    await here.client("PATCH", `/v1/documents/${id}`, { content: LINES.replace("one", "here") });
    stub.patch("documents", there, { content: LINES.replace("three", "there"), status: "archived" });
    const collection = [...stub.rows.collections!.values()][0]!;
    collection.items.push({ id: there.id, kind: "document" });
    stub.patch("collections", collection, { description: "All about cooking" });
    const { counts, memberships } = await exchange();
    expect([counts.merged, counts.conflict, memberships]).toEqual([1, 0, 1]);
    const merged = LINES.replace("one", "here").replace("three", "there");
    expect(stub.rows.documents!.get(there.id)!.content).toBe(merged);
    const { body: own } = await here.client("GET", `/v1/documents/${id}`);
    expect([own.data.content, own.data.isArchived]).toEqual([merged, true]);
    expect((await here.client("GET", "/v1/collections")).body.data[0]).toMatchObject({
      description: "All about cooking",
      itemCount: 122,
    });
  });

  test("a record of the service comes here, and its deletion travels in two steps", async () => {
    const row = stub.create("prompts", { title: "Theirs", description: "", content: "theirs" });
    await exchange();
    const titles = async () =>
      (await here.client("GET", "/v1/prompts")).body.data.map(({ title }: { title: string }) => title).sort();
    expect(await titles()).toEqual(["P", "Theirs"]);
    stub.rows.prompts!.delete(row.id);
    await exchange({ deletes: true });
    expect((await exchange({ deletes: true })).counts.deleted).toBe(1);
    expect(await titles()).toEqual(["P"]);
  });
});
