// Which pairs of statements are conflicts; with the shipped weights.

import { describe, expect, test } from "bun:test";
import type { Evidence } from "../../../src/engine/answering/passages.ts";
import { ask, contradict } from "./ask.ts";
import { chunk } from "./evidence.ts";

describe("conflicts", () => {
  const backups = (id: string, days: number, more: Partial<Evidence> = {}) =>
    chunk(id, `Daily backups are kept for ${days} days.`, more);
  const QUESTION = "How long are daily backups kept?";

  test("two documents with different values, and the newer one", async () => {
    const { conflicts, answer: text } = await ask(
      QUESTION,
      backups("a", 35, { title: "Runbook 2023" }),
      backups("b", 21, { title: "Guide", opening: "Last changed 3 May 2025" }),
    );
    expect(conflicts).toEqual([
      "35 days or 21 days? “Daily backups are kept for 35 days.” (Runbook 2023) [[a]] disagrees with “Daily backups are kept for 21 days.” (Guide) [[b]]; Guide is newer",
    ]);
    expect(text).toContain("35 days");
    expect(text).toContain("21 days");
  });

  test.each([
    ["the same in another unit", backups("a", 35), chunk("b", "Daily backups are kept for 840 hours.")],
    ["a rounded month", backups("a", 30), chunk("b", "Daily backups are kept for one month.")],
    ["one document", backups("a", 35, { documentId: "d" }), backups("b", 21, { documentId: "d" })],
    ["values too far apart", backups("a", 35), chunk("b", "Daily backups take 30 minutes.")],
    ["numbered otherwise", backups("a", 35, { title: "Orca 2" }), backups("b", 21, { title: "Orca 3" })],
    ["siblings", backups("a", 35, { title: "Monday" }), backups("b", 21, { title: "Friday" })],
    [
      "other years",
      chunk("a", "Daily backups were kept for 35 days in 2023."),
      chunk("b", "Daily backups are kept for 21 days since 2025."),
    ],
  ])("no conflict: %s", async (_why, a, b) => expect((await ask(QUESTION, a, b)).conflicts).toEqual([]));

  test("headings can name the things that statements are about", async () => {
    const canoes = chunk("a", "The deposit is 50 euros.", { title: "Canoe rental" });
    const kayaks = chunk("b", "The deposit is 40 euros.", { title: "Kayak rental" });
    expect(await contradict("What is the deposit for a canoe?", canoes, kayaks)).toEqual([]);
    expect(
      (await contradict("What is the deposit?", canoes, { ...kayaks, title: "Canoe trips" })).length,
    ).toBe(1);
  });

  test.each([
    ["The fee is now 45 euros instead of 40 euros."],
    ["The fee was raised from 40 to 45 euros."],
    ["The fee is 45 euros (previously 40 euros)."],
  ])("the document that replaces a value is newer: %s", async (text) => {
    const [conflict] = await contradict(
      "How much is the fee?",
      chunk("a", "The fee is 40 euros.", { title: "Rules 2026" }),
      chunk("b", text, { title: "Leaflet 2025" }),
    );
    expect(conflict).toMatch(/^(?:45 euros or 40|40 euros or 45) euros\?/);
    expect(conflict).toEndWith("Leaflet 2025 is newer");
    expect(await contradict("How much is the fee?", "The fee is 45 euros.", text)).toEqual([]);
  });

  test("a statement with another value, another name or a negation is no repetition", async () => {
    const [a, b] = [
      "The key of the yellow house by the lake at the end of the long road is kept by Anna Berg.",
      "The key of the yellow house by the lake at the end of the long road is kept by Tom Berg.",
    ];
    const { answer: text } = await ask(
      "Who has the key of the yellow house?",
      chunk("a", a!),
      chunk("b", b!),
    );
    expect(text).toContain(a!);
    expect(text).toContain(b!);
  });

  test.each([
    ["1800 kg", "1750 kg", 1],
    ["one hundred and twenty kg", "120 kg", 0],
    ["265 lb", "120 kg", 0],
  ])("a load of %s and one of %s: %p", async (one, other, conflicts) => {
    const [a, b] = [one, other].map((load, i) =>
      chunk(`c${i}`, `The maximum load of the trailer is ${load}.`),
    );
    expect((await ask("What is the maximum load of the trailer?", a!, b!)).conflicts.length).toBe(conflicts);
  });

  test("months in titles do not make them documents about different things", async () => {
    const [march, june] = [
      backups("a", 35, { title: "Runbook, March" }),
      backups("b", 21, { title: "June" }),
    ];
    expect((await ask(QUESTION, march, june)).conflicts.length).toBe(1);
  });

  test.each([
    ["the same row of another list", "Lamp", "2026", 1],
    ["a row about something else", "Desk", "2026", 0],
    ["a list of another year", "Lamp", "2025", 0],
  ])("%s", async (_why, item, year, conflicts) => {
    const row = (id: string, name: string, price: number, of: string) =>
      chunk(id, `| Item | Price ${of} |\n|---|---|\n| ${name} | ${price} euros |`);
    const [a, b] = [row("a", "Lamp", 40, "2026"), row("b", item, 45, year)];
    expect((await ask("What does the lamp cost?", a, b)).conflicts.length).toBe(conflicts);
  });

  test.each([
    [
      "May members bring dogs into the studio?",
      "Members may bring dogs into the studio.",
      "Members may not bring dogs into the studio.",
    ],
    [
      "Can I eat in the reading room?",
      "Eating is permitted in the reading room.",
      "Food is forbidden in the reading room, do not eat there.",
    ],
    [
      "May apprentices use the lathe?",
      "Apprentices and masters may use the lathe.",
      "Only masters may use the lathe.",
    ],
    [
      "May I bring a guest on Friday?",
      "Members may bring guests on Tuesdays and Fridays.",
      "Guests are no longer allowed on Fridays.",
    ],
    [
      "May I take my dog to the market?",
      "Customers may bring dogs to the market on a short lead.",
      "Dogs may not be taken to playgrounds, to cemeteries or to the market.",
    ],
  ])("a permission and its denial: %s", async (question, yes, no) =>
    expect((await contradict(question, yes, no)).length).toBe(1),
  );

  test("a permission for something else is no denial", async () =>
    expect(
      await contradict(
        "May members bring dogs into the studio?",
        "Members may bring dogs into the studio.",
        "Dogs may not lie on the stairs.",
      ),
    ).toEqual([]));
});

test("two statements of hundreds of values can be compared", async () => {
  const prices = (from: number) => Array.from({ length: 200 }, (_, i) => `€${from + i}`).join(" ");
  // Comparing each value with each in nested loops took more than half a minute.
  expect(
    (await contradict("What does the hall cost?", `The hall: ${prices(100)}`, `The hall: ${prices(400)}`))
      .length,
  ).toBeLessThan(2);
});
