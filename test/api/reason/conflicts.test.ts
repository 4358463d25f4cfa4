// POST /v1/reason with the shipped model: which statements are reported as conflicts, and which are not.

import { describe, expect, test } from "bun:test";
import { useServer } from "../../helpers/start.ts";

const started = useServer({ realModel: true });

let users = 0;

/** The conflicts that an answer from these two documents names, as text without their citations. */
async function conflictsOf(question: string, one: string, other: string): Promise<string[]> {
  const client = started.clientOf(`user-${users++}@example.org`);
  for (const [at, text] of [one, other].entries()) {
    const [title, content] = text.split(": ", 2);
    const stored = await client("POST", "/v1/documents", { title: title ?? `Document ${at}`, content });
    expect(stored.status).toBe(201);
  }
  await started.settle();
  const { status, body } = await client("POST", "/v1/reason", { query: question });
  expect(status).toBe(200);
  for (const conflict of body.data.conflicts) expect(conflict.match(/\[\[\w{27}\]\]/g)).toHaveLength(2);
  return body.data.conflicts;
}

describe("statements that answer the same question with different values", () => {
  test.each([
    [
      "How soon may I lift heavy things after a hernia operation?",
      "Ward leaflet: After a hernia operation you may lift heavy things again after ten days.",
      "Surgery guide: Nothing heavy may be lifted for six weeks following hernia surgery.",
    ],
    [
      "In which year was the lighthouse built?",
      "Harbour walk: The lighthouse was built in 1861 by the brothers Orr.",
      "Coast history: Built in 1867, the lighthouse has guided ships ever since.",
    ],
    [
      "How long does the pump take to fill the tank?",
      "Pump manual: The pump takes 45 minutes to fill the tank.",
      "Farm notes: Filling the tank with the pump takes two hours.",
    ],
    [
      "What does a locker cost?",
      "Station guide: A locker costs 4 euros a day.",
      "Luggage leaflet: For each locker 6 euros a day are charged.",
    ],
  ])("%s", async (question, one, other) => {
    expect(await conflictsOf(question, one, other)).toHaveLength(1);
  });
});

describe("no disagreement", () => {
  test.each([
    [
      "the same in another unit",
      "How long does the pump take to fill the tank?",
      "Pump manual: The pump takes 120 minutes to fill the tank.",
      "Farm notes: Filling the tank with the pump takes two hours.",
    ],
    [
      "different things by nature",
      "What does a day ticket cost?",
      "Adults: A day ticket for an adult costs 9 euros.",
      "Children: A day ticket for a child costs 4 euros.",
    ],
    [
      "something else of the same place",
      "How long does the pump take to fill the tank?",
      "Pump manual: The pump takes 45 minutes to fill the tank.",
      "Farm notes: The filter of the pump is cleaned every two weeks.",
    ],
    [
      "another product",
      "How long does the Orca 2 run on a charge?",
      "Orca 2: The Orca 2 runs for six hours on a charge.",
      "Orca 3: The Orca 3 runs for nine hours on a charge.",
    ],
  ])("%s", async (_name, question, one, other) => {
    expect(await conflictsOf(question, one, other)).toEqual([]);
  });
});
