// The pictures of the console, in a real browser: what they show, and how they are used by pointer and keyboard.

import { beforeAll, describe, expect, test } from "bun:test";
import { createKey } from "../../src/auth/keys.ts";
import { ensureUser } from "../../src/auth/users.ts";
import { dayOf } from "../../src/console/text/days.ts";
import type { Embedder } from "../../src/engine/embedding/embedder.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { CHROMIUM, type ConsolePage, useConsole } from "../helpers/browser.ts";
import { fakeEmbedder } from "../helpers/embedder.ts";
import { type Client, createClient } from "../helpers/start.ts";

const DAY_MS = 86_400_000;
const HOSTILE = '<img src=x onerror=alert(1)> "robot"';

/** An embedder that waits while it is held. */
function heldEmbedder() {
  const words = fakeEmbedder();
  let released: Promise<void> | undefined;
  const embedder: Embedder = {
    ...words,
    async embedPassages(...given) {
      await released;
      return words.embedPassages(...given);
    },
  };
  return {
    embedder,
    /** Returns the function that lets it go on. */
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      released = promise;
      return resolve;
    },
  };
}

describe.skipIf(!CHROMIUM)("pictures", () => {
  // Times only go forwards, as ids do.
  let daysAgo = 20;
  const now = () => systemClock.now() - daysAgo * DAY_MS;
  const { embedder, hold } = heldEmbedder();
  const server = useConsole({ embedder, clock: { ...systemClock, now } });
  const agentOf = (name: string) =>
    createClient(
      server.url,
      server.write((write) =>
        createKey(write, ensureUser(write, "owner@localhost"), { name, scopes: ["documents.write"] }),
      ).key,
    );
  const robot = agentOf(HOSTILE);
  let p: ConsolePage;

  beforeAll(async () => {
    const parrot = agentOf("parrot");
    const create = (agent: Client, title: string) =>
      agent("POST", "/v1/documents", { title, content: title });
    await create(robot, "Old one");
    await create(parrot, "Old two");
    daysAgo = 10;
    await create(robot, "Newer");
    daysAgo = 0;
    await create(parrot, "Today");
    await server.settle();
    p = await server.signIn();
  });

  describe("changes by day", () => {
    const ago = (days: number) => dayOf(systemClock.now() - days * DAY_MS);
    const bars = () => p.page.$$eval(".change-days g:not(.faded) rect", (found) => found.length);

    test("show who has changed how much, as text, too", async () => {
      await p.open("/console/activity");
      await p.page.waitForSelector(".change-days svg rect");
      expect(await bars()).toBe(4);
      expect(await p.page.$eval(".change-days svg", (svg) => svg.getAttribute("aria-label"))).toStartWith(
        "4 changes",
      );
      expect(await p.text(".change-days .picture-key")).toContain("parrot 2");
      await p.press("As a table");
      expect(await p.text(".change-days table")).toContain(HOSTILE);
    });

    test("the date fields choose the days of the list", async () => {
      await p.fill("From", ago(21));
      await p.fill("To", ago(15));
      await p.sees("Changes of");
      await p.page.waitForFunction("!document.querySelector('.changes').textContent.includes('Newer')");
      await p.sees("Old one", ".changes");
      expect(await bars()).toBe(2);
      expect(new URL(p.page.url()).searchParams.get("from")).toBe(ago(21));
      await p.press("All days");
      await p.sees("Newer", ".changes");
      expect(await bars()).toBe(4);
    });

    test("dragging over days chooses them; days without changes say so", async () => {
      await p.page.$eval(".change-days", (element) => element.scrollIntoView({ block: "center" }));
      const plot = await (await p.page.$(".change-days .picture-plot"))!.boundingBox();
      const x = (days: number) => plot!.x + (plot!.width * (90 - days - 0.5)) / 90;
      const drag = async (from: number, to: number) => {
        await p.page.mouse.move(x(from), plot!.y + 60);
        await p.page.mouse.down();
        await p.page.mouse.move(x(to), plot!.y + 70, { steps: 4 });
        await p.page.mouse.up();
        await p.settled();
      };
      await drag(12, 8);
      expect(await p.value(".picture-range input")).toBe(ago(12));
      await p.sees("Newer", ".changes");
      await p.page.waitForFunction("!document.querySelector('.changes').textContent.includes('Today')");
      // The same days again: all of them.
      await drag(12, 8);
      await p.sees("Today", ".changes");
      await drag(40, 30);
      await p.sees("Nothing was changed on these days");
    });
  });

  describe("the timeline of versions", () => {
    let id: string;
    const shown = () => new URL(p.page.url()).searchParams.get("version");

    beforeAll(async () => {
      id = await server.create("/v1/documents", { title: "Log", content: "a\nb" });
      const contents = ["a\nb\nc", Array.from({ length: 60 }, (_, line) => `line ${line}`).join("\n"), "end"];
      for (const content of contents) await robot("PATCH", `/v1/documents/${id}`, { content });
      await p.open(`/console/documents/${id}/versions`);
      await p.page.waitForSelector(".version-timeline circle");
    });

    test("has a line for each author and a dot for each version, as large as its change", async () => {
      await p.sees("1 line added, 60 removed", ".version-timeline .picture-key");
      const names = await p.page.$$eval(".lanes li", (lanes) => lanes.map(({ textContent }) => textContent));
      expect(names).toEqual([HOSTILE, "owner@localhost with an API key"]);
      const radii = await p.page.$$eval(".version-timeline circle", (dots) =>
        dots.map((dot) => Number(dot.getAttribute("r"))).sort((a, b) => a - b),
      );
      expect(radii[0]!).toBeGreaterThanOrEqual(3);
      expect(radii.slice(0, 2).every((radius) => radius < 5)).toBe(true);
      expect(radii.slice(2).every((radius) => radius > 8)).toBe(true);
      await p.press("As a table");
      const rows = await p.page.$$eval(".version-timeline tbody tr", (all) =>
        all.map((row) => [0, 3, 4].map((cell) => row.children[cell]?.textContent)),
      );
      expect(rows).toEqual([
        ["3", "1", "60"],
        ["2", "60", "3"],
        ["1", "1", "0"],
        ["0", "2", "0"],
      ]);
    });

    test("a dot shows its version, by pointer and by keyboard", async () => {
      await p.page.focus(".version-timeline [role=slider]");
      await p.page.keyboard.press("ArrowLeft");
      await p.page.keyboard.press("ArrowLeft");
      const said = "document.querySelector('.version-timeline [role=slider]').ariaValueText";
      expect(await p.page.evaluate(said)).toStartWith("Version 1, ");
      expect(shown()).toBeNull();
      await p.page.keyboard.press("Enter");
      await p.page.waitForSelector("[aria-label='From version 0 to version 1']");
      expect(shown()).toBe("1");
      await p.page.keyboard.press("Home");
      await p.page.keyboard.press("ArrowLeft");
      await p.page.keyboard.press("Enter");
      await p.page.waitForSelector("[aria-label='Version 0']");
      expect(shown()).toBe("0");
      const dot = await p.page.$$(".version-timeline circle.dot-mark:not(.chosen)");
      await dot[0]!.evaluate((circle) => circle.dispatchEvent(new Event("click", { bubbles: true })));
      expect(["1", "2", "3"]).toContain(shown()!);
    });
  });

  test("storage by collection is a table with bars", async () => {
    const [large, small] = [
      await server.create("/v1/collections", { name: HOSTILE }),
      await server.create("/v1/collections", { name: "Small" }),
    ];
    await server.create("/v1/documents", { title: "L", content: "x".repeat(4_000), collectionIds: [large] });
    await server.create("/v1/documents", { title: "S", content: "x".repeat(1_000), collectionIds: [small] });
    await server.settle();
    await p.open("/console/activity");
    await p.press("Storage by collection");
    await p.sees("All documents", ".storage");
    const rows = await p.page.$$eval(".storage tbody tr", (all) =>
      all.map((row) => [
        row.querySelector("th")!.textContent,
        row.querySelector("td")!.textContent,
        Math.round(
          (100 * row.querySelector(".storage-bar")!.clientWidth) / row.querySelector("th")!.clientWidth / 5,
        ) * 5,
      ]),
    );
    expect(rows.slice(0, 2).map(([name, size]) => [name, size])).toEqual([
      [HOSTILE, "3.9 kB"],
      ["Small", "1000 bytes"],
    ]);
    const [first, second] = rows.map(([, , share]) => Number(share));
    expect(second! / first!).toBeCloseTo(0.25, 1);
  });

  describe("the map of documents", () => {
    const selected = () => p.page.$$eval(".map-plot circle.chosen", (dots) => dots.length);
    const dots = () => p.page.$$eval(".map-plot .dot-mark", (all) => all.length);

    test("has a dot for each document; groups select theirs", async () => {
      await p.open("/console/map");
      await p.page.waitForSelector(".map-plot .dot-mark");
      const { body } = await server.client("GET", "/v1/documents?limit=100");
      expect(await dots()).toBe(body.data.length);
      expect(await p.text(".map-key")).toContain(`${HOSTILE} 1`);
      await p.press("Small 1");
      await p.sees("1 document selected");
      expect(await selected()).toBe(1);
      await p.press("Agent");
      expect(await p.text(".map-key")).toContain("parrot");
    });

    test("a line around dots selects them, for all that can be done with several documents", async () => {
      const plot = (await (await p.page.$(".map-plot"))!.boundingBox())!;
      const corners = [
        [2, 2],
        [plot.width - 2, 2],
        [plot.width - 2, plot.height - 2],
        [2, plot.height - 2],
      ];
      await p.page.mouse.move(plot.x + 2, plot.y + 2);
      await p.page.mouse.down();
      for (const [x, y] of corners) await p.page.mouse.move(plot.x + x!, plot.y + y!, { steps: 3 });
      await p.page.mouse.up();
      const count = await dots();
      await p.sees(`${count} documents selected`);
      await p.press("Tags…");
      await p.fill("Add tags", "mapped");
      await p.press("Change the tags");
      await p.sees(`${count} documents changed.`, ".notices");
      const { body } = await server.client("GET", "/v1/documents?tags=mapped&limit=100");
      expect(body.data).toHaveLength(count);
    });

    test("rows with boxes select, too, without a pointer", async () => {
      await p.press("Clear");
      await p.press("As a table");
      await p.page.waitForSelector(".map-table input");
      await p.page.focus(".map-table input");
      await p.page.keyboard.press("Space");
      await p.sees("1 document selected");
    });

    test("a dot says its title and opens its document", async () => {
      const dot = (await (await p.page.$(".map-plot .dot-mark"))!.boundingBox())!;
      const [x, y] = [dot.x + dot.width / 2, dot.y + dot.height / 2];
      await p.page.mouse.move(x, y);
      await p.page.waitForSelector(".map-label");
      const title = await p.text(".map-label");
      await p.page.mouse.click(x, y);
      await p.page.waitForFunction("location.pathname.startsWith('/console/documents/')");
      await p.sees(title, "h1");
    });
  });

  test("while records are indexed, a bar shows how far that is", async () => {
    await p.open("/console/activity");
    const release = hold();
    for (const title of ["A", "B", "C"]) await server.create("/v1/documents", { title, content: title });
    await p.sees("Indexing: 3 left", "nav");
    await p.sees("0 of 3 records are indexed", ".indexing-details");
    expect(await p.page.$eval("nav progress", (bar) => [bar.value, bar.max])).toEqual([0, 3]);
    // Nothing is said about the time before something was indexed.
    expect(await p.text("nav .indexing")).toBe("Indexing: 3 left");
    release();
    await p.page.waitForFunction("!document.querySelector('progress')");
    await p.sees("Everything is indexed");
  });

  test("nothing has caused an error or a request to another server", () => {
    expect(p.problems()).toEqual([]);
  });
});
