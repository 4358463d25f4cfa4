// Changes by day: counting them by author, and listing those of some days.

import { describe, expect, test } from "bun:test";
import { createKey } from "../../../src/auth/keys.ts";
import { ensureUser } from "../../../src/auth/users.ts";
import { ManualClock } from "../../../src/kernel/clock.ts";
import { consoleClient } from "../../helpers/console-client.ts";
import { createClient, type Started, useServer } from "../../helpers/start.ts";

const HOUR_MS = 3_600_000;
/** 2027-03-28 in Berlin, when the day has 23 hours. */
const MIDNIGHT = Date.UTC(2027, 2, 27, 23);
const STARTS = [MIDNIGHT - 24 * HOUR_MS, MIDNIGHT, MIDNIGHT + 23 * HOUR_MS, MIDNIGHT + 47 * HOUR_MS];

const agentOf = (started: Started, name: string) => {
  const { key } = started.write((write) =>
    createKey(write, ensureUser(write, "owner@localhost"), {
      name,
      scopes: ["documents.write", "prompts.write"],
    }),
  );
  return createClient(started.url, key, started.send);
};

describe("changes by day", async () => {
  const clock = new ManualClock(MIDNIGHT - 1);
  const started = useServer({ clock });
  const [robot, parrot] = [agentOf(started, "robot"), agentOf(started, "parrot")];
  const create = async (title: string) =>
    (await robot("POST", "/v1/documents", { title, content: title })).body.data.id as string;

  await create("last moment of the first day");
  clock.advance(1);
  const id = await create("midnight");
  clock.advance(23 * HOUR_MS - 1);
  await parrot("PATCH", `/v1/documents/${id}`, { content: "last moment of the short day" });
  clock.advance(1);
  await parrot("PATCH", `/v1/documents/${id}`, { content: "next day" });
  await parrot("POST", "/v1/prompts", { title: "p", description: "d", content: "c" });
  await started.clientOf("other@example.org")("POST", "/v1/documents", { title: "of others", content: "x" });
  const owner = await consoleClient(started);
  const daysFor = async (query: string, client = owner) =>
    (await client("GET", `/console/api/changes/days?starts=${query}`)).body.data;

  test("are counted by author, with the clock change", async () => {
    const { authors, counts, isComplete } = await daysFor(STARTS.join(","));
    expect(authors.map(({ agent }: { agent: string }) => agent.split(",")[0])).toEqual([
      "key parrot",
      "key robot",
    ]);
    expect(counts.sort((a: { day: number }, b: { day: number }) => a.day - b.day)).toEqual([
      { day: 0, author: 1, written: 1, changed: 0 },
      { day: 1, author: 1, written: 1, changed: 0 },
      { day: 1, author: 0, written: 0, changed: 1 },
      { day: 2, author: 0, written: 1, changed: 1 },
    ]);
    expect(isComplete).toBe(true);
  });

  test("do not contain what the key may not read", async () => {
    const reader = await consoleClient(started, { ...started.owner, scopes: ["prompts.read"] });
    const { counts } = await daysFor(STARTS.join(","), reader);
    expect(counts).toEqual([{ day: 2, author: 0, written: 1, changed: 0 }]);
  });

  test("many authors are counted together", async () => {
    for (let n = 0; n < 10; n++) {
      await agentOf(started, `bird ${n}`)("POST", "/v1/documents", { title: `by bird ${n}`, content: "x" });
    }
    const { authors, counts } = await daysFor(`${STARTS[2]},${STARTS[3]}`);
    expect(authors).toHaveLength(8);
    expect(authors.at(-1)).toBeNull();
    const others = counts.find(({ author }: { author: number }) => author === 7);
    expect(others).toEqual({ day: 0, author: 7, written: 4, changed: 0 });
  });

  test.each(["", "x", "1", "-1,2", `${"9".repeat(15)},2`, "0,9999999999", Array(200).fill(1).join(",")])(
    "need the starts of days, and not %j",
    async (starts) => {
      expect((await owner("GET", `/console/api/changes/days?starts=${starts}`)).status).toBe(400);
    },
  );

  test("are listed from one moment until another, page by page", async () => {
    const page = async (more: string) =>
      (await owner("GET", `/console/api/changes?from=${STARTS[0]}&to=${STARTS[2]}&limit=2${more}`)).body;
    const first = await page("");
    const titles = (data: { title: string; version: number }[]) =>
      data.map(({ title, version }) => `${title} ${version}`);
    expect(titles(first.data)).toEqual(["midnight 1", "midnight 0"]);
    const next = await page(`&cursor=${first.pagination.cursor}`);
    expect(titles(next.data)).toEqual(["last moment of the first day 0"]);
    expect(next.pagination.hasMore).toBe(false);
    // A cursor belongs to its days.
    const other = await owner(
      "GET",
      `/console/api/changes?to=${STARTS[2]}&cursor=${first.pagination.cursor}`,
    );
    expect(other.status).toBe(400);
  });

  test("are listed after the clock was set back, too", async () => {
    clock.step(-20 * HOUR_MS);
    await create("before noon of the short day");
    const { body } = await owner("GET", `/console/api/changes?from=${STARTS[1]}&to=${STARTS[2]}&limit=1`);
    expect(body.data[0].title).toBe("before noon of the short day");
  });
});
