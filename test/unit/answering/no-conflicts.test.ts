// Which statements with different values do not contradict each other; with the shipped weights.

import { describe, expect, test } from "bun:test";
import { contradict } from "./ask.ts";

describe("no conflict", () => {
  test.each([
    [
      "What is the deposit for a canoe?",
      "The deposit for a canoe is 50 euros.",
      "The deposit for a kayak is 40 euros.",
    ],
    ["What is the deposit?", "The deposit for a canoe is 50 euros.", "The deposit for a kayak is 40 euros."],
    [
      "What is the deposit for a canoe?",
      "A canoe needs a deposit of 50 euros.",
      "For kayaks, we take 40 euros as a deposit.",
    ],
    [
      "How long does the ferry to Skye take?",
      "The ferry to Skye takes 40 minutes.",
      "The ferry to Mull takes 55 minutes.",
    ],
    [
      "How much does a swimming lesson cost?",
      "A swimming lesson costs 15 euros.",
      "A boxing lesson costs 18 euros.",
    ],
    ["How many seats does the Lark have?", "The Lark has 4 seats.", "The Heron has 6 seats."],
    ["How many beds does ward 3 have?", "Ward 3 has 20 beds.", "Ward 5 has 24 beds."],
    [
      "What does the canoe cost?",
      "The canoe is red. It costs 50 euros.",
      "The kayak is new. It costs 40 euros.",
    ],
    [
      "How high is the tower?",
      "The tower of the church is 40 m high.",
      "The tower of the town hall is 35 m high.",
    ],
    ["How heavy is the drill?", "The drill weighs 2.1 kg.", "The battery of the drill weighs 0.6 kg."],
    ["When does the museum open?", "The museum opens at 10:00.", "The café in the museum opens at 9:00."],
    [
      "How long does the charging take?",
      "Charging the scooter takes 5 hours.",
      "Charging the lamp takes 2 hours.",
    ],
    [
      "Which dogs may compete?",
      "Dogs may compete if they were registered 14 days before.",
      "Dogs may stay overnight for 10 days.",
    ],
  ])("because they are about different things: %s", async (question, a, b) =>
    expect(await contradict(question, a, b)).toEqual([]),
  );

  test.each([
    [
      "Who do I ask for the keys?",
      "Ask Jan Novak, the porter, for the keys.",
      "For the keys, ask the porter.",
    ],
    [
      "When is the vet there?",
      "The vet is there on Tuesday at 09:00.",
      "[Mon 18:40] Gil: the vet is there at 9:00",
    ],
  ])("because they mean the same: %s", async (question, a, b) =>
    expect(await contradict(question, a, b)).toEqual([]),
  );

  test.each([
    [
      "Who is the treasurer?",
      "The treasurer of the choir is Anna Berg.",
      "The deputy treasurer of the choir is Tom Weiss.",
    ],
    [
      "Who is the treasurer?",
      "The treasurer of the choir is Anna Berg.",
      "Tom Weiss was treasurer of the choir until 2018.",
    ],
    ["Who is the treasurer?", "The treasurer is Dr. A. Berg.", "The treasurer is Anna Berg."],
    ["Who can open the gate?", "Anna Berg can open the gate.", "Tom Weiss can open the gate."],
    [
      "What is the phone number of the office?",
      "The phone number of the office is 030 555 1234.",
      "The phone number of the office is +49 30 5551234.",
    ],
    [
      "What is the phone number of the office?",
      "The phone number of the office is 030 555 1234.",
      "At night, the phone number of the office is 030 555 9876.",
    ],
    ["Where is the key?", "The key of the attic is in locker 3.", "The key of the cellar is in locker 5."],
  ])("about persons, contacts and places: %s", async (question, a, b) =>
    expect(await contradict(question, a, b)).toEqual([]),
  );
});
