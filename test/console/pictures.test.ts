// The pictures of the console, in a real browser: what they show, and how they are used by pointer and keyboard.

import { beforeAll, describe, expect, test } from "bun:test";
import { createKey } from "../../src/auth/keys.ts";
import { ensureUser } from "../../src/auth/users.ts";
import { dayOf } from "../../src/console/text/days.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { CHROMIUM, type ConsolePage, useConsole } from "../helpers/browser.ts";
import { type Client, createClient } from "../helpers/start.ts";

const DAY_MS = 86_400_000;
const HOSTILE = '<img src=x onerror=alert(1)> "robot"';

describe.skipIf(!CHROMIUM)("pictures", () => {
  // Times only go forwards, as ids do.
  let daysAgo = 20;
  const now = () => systemClock.now() - daysAgo * DAY_MS;
  const server = useConsole({ clock: { ...systemClock, now } });
  const agentOf = (name: string) =>
    createClient(
      server.url,
      server.write((write) =>
        createKey(write, ensureUser(write, "owner@localhost"), { name, scopes: ["documents.write"] }),
      ).key,
    );
  let p: ConsolePage;

  beforeAll(async () => {
    const robot = agentOf(HOSTILE);
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

  test("nothing has caused an error or a request to another server", () => {
    expect(p.problems()).toEqual([]);
  });
});
