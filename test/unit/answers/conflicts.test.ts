// Which pairs of statements are conflicts; with the shipped weights.

import { describe, expect, test } from "bun:test";
import type { Evidence } from "../../../src/engine/answers/2-passages/passages.ts";
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
      "21 days or 35 days? “Daily backups are kept for 21 days.” (Guide) [[b]] disagrees with “Daily backups are kept for 35 days.” (Runbook 2023) [[a]]; Guide is newer",
    ]);
    expect(text).toContain("35 days");
    expect(text).toContain("21 days");
  });

  test.each([
    ["the same in another unit", backups("a", 35), chunk("b", "Daily backups are kept for 840 hours.")],
    ["a rounded month", backups("a", 30), chunk("b", "Daily backups are kept for one month.")],
    ["one document", backups("a", 35, { documentId: "d" }), backups("b", 21, { documentId: "d" })],
    ["values too far apart", backups("a", 35), chunk("b", "Daily backups take 30 minutes.")],
    [
      "other years",
      chunk("a", "Daily backups were kept for 35 days in 2023."),
      chunk("b", "Daily backups are kept for 21 days since 2025."),
    ],
  ])("no conflict: %s", async (_why, a, b) => expect((await ask(QUESTION, a, b)).conflicts).toEqual([]));

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
});

test("two statements of hundreds of values can be compared", async () => {
  const prices = (from: number) => Array.from({ length: 200 }, (_, i) => `€${from + i}`).join(" ");
  // Comparing each value with each in nested loops took more than half a minute.
  expect(
    (await contradict("What does the hall cost?", `The hall: ${prices(100)}`, `The hall: ${prices(400)}`))
      .length,
  ).toBeLessThan(2);
});
