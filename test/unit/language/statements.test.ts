// What a statement is about, which of its values were replaced, and the names, contacts and places in it.

import { describe, expect, test } from "bun:test";
import { asksIdentity, identitiesIn } from "../../../src/engine/language/identities.ts";
import {
  isDenied,
  obligationOf,
  permissionOf,
  asksObligation,
} from "../../../src/engine/language/negation.ts";
import { isReplaced } from "../../../src/engine/language/replaced.ts";
import { stem } from "../../../src/engine/language/terms.ts";
import {
  areNumberedOtherwise,
  differentInPlace,
  partsIn,
  thingsIn,
} from "../../../src/engine/language/things.ts";
import { valuesOf } from "../../../src/engine/language/values.ts";

test.each([
  ["The deposit for a canoe is #.", ["deposit", "canoe"]],
  ["The ferry takes #.", ["ferry"]],
  ["We keep backups for #.", []],
  ["Let the kiln cool for # before you open it.", ["kiln", "cool"]],
  ["Bring the key to Skye.", ["key", "Skye"]],
  ["", []],
])("the things in %p are %j", (text, things) => {
  expect(new Set(thingsIn(text).map((term) => term.stem))).toEqual(new Set(things.map(stem)));
});

test.each([
  ["The deposit for a canoe is #.", "The deposit for a kayak is #.", ["canoe", "kayak"]],
  ["A swimming lesson costs #.", "A boxing lesson costs #.", ["swimming", "boxing"]],
  ["The tower of the church is tall.", "The tower of the town hall is tall.", ["church", "hall"]],
  ["The door is opened at #.", "The door is closed at #.", ["opened", "closed"]],
  ["Backups are copied for #.", "Backups are kept for #.", undefined],
  ["The yearly fee is #.", "The annual fee is #.", undefined],
  ["The fee is #.", "The fee is # for guests.", undefined],
])("%p and %p differ in %j", (a, b, pair) =>
  expect(differentInPlace(a, b)).toEqual(pair ? [[stem(pair[0]!), stem(pair[1]!)]] : []),
);

test.each([
  ["Manual of the Orca 2", "Manual of the Orca 3", "Is it red?", true],
  ["Manual of the Orca 2", "Orca 2, Orca 3", "Is it red?", false],
  ["Ward 3 has 20 beds.", "Ward 5 has 24 beds.", "How many beds does ward 3 have?", true],
  ["The fee is 40 euros.", "The fee is 45 euros.", "Is the fee 40 euros?", false],
  ["On March 3 it is open.", "On March 5 it is open.", "Is it open?", false],
])("%p and %p are about differently numbered things, asked %p: %p", (a, b, question, expected) =>
  expect(areNumberedOtherwise(a, b, question)).toBe(expected),
);

test.each([
  ["The mast of the boat weighs #.", [["mast", "boat"]]],
  ["A café in the museum is open.", [["cafe", "museum"]]],
  ["The weight of the boat is #.", []],
  ["It is kept in the boat.", []],
])("the parts in %p are %j", (text, parts) =>
  expect(partsIn(text).map(({ part, whole }) => [part, whole])).toEqual(parts.map((pair) => pair.map(stem))),
);

test.each([
  ["45 euros instead of 40 euros", ["40 euros"]],
  ["open from 23:00 to 7:00 instead of from 22:00", ["22:00"]],
  ["It was raised from 40 to 45 euros.", ["40"]],
  ["It costs 45 euros (was 40 euros).", ["40 euros"]],
  ["It costs 45 euros, not 40 euros.", ["40 euros"]],
  ["It was 40 euros before. Now it is 45 euros.", ["40 euros"]],
  ["The notice period is no longer 3 months but 6 weeks.", ["3 months"]],
  ["Wait for 12 hours before you open it.", []],
  ["It is open from 8 to 12 hours a day.", []],
  ["It may not take more than 3 hours.", []],
  ["The bridge was built in 1890.", []],
])("%p replaces %j", (text, replaced) => {
  const found = valuesOf(text).filter((value) => isReplaced(text, value));
  expect(found.map(({ start, end }) => text.slice(start, end).trim())).toEqual(replaced);
});

describe("identities", () => {
  test.each([
    ["who", "The treasurer is Anna Berg.", ["berg"]],
    ["who", "Dr. A. Berg is the treasurer.", ["berg"]],
    ["who", "Treasurer: Anna van Dam", ["dam"]],
    ["who", "Our caretaker, Mr. Novak, knows it.", ["novak"]],
    ["who", "Anna Berg, our treasurer, knows it.", ["berg"]],
    ["who", "Ask Anna Berg, who knows it.", []],
    ["who", "Yusuf gives the till training.", ["yusuf"]],
    ["who", "Till training: Anna Berg gives it.", ["berg"]],
    ["who", "The kitchen opens at nine.", []],
    ["who", "Job: alarm, test; Who: taproom manager; How often: monthly", ["taproom manag"]],
    ["who", "Anna Berg was the treasurer.", []],
    ["who", "The Harbour Office is closed.", []],
    ["who", "The decision rests with the ice master alone.", ["ice mast"]],
    ["contact", "Call +49 30 5551234 or write to Info@club.example.", ["51234", "info@club.example"]],
    ["contact", "Since 2026-11-22 we have a fax.", []],
    ["where", "It is in Room 12, next to locker B-3.", ["12", "b-3"]],
    ["where", "It is in the linen bin, next to room 12.", ["12", "linen bin"]],
    ["when", "It is in room 12.", []],
  ])("for %p, %p states %j", (type, text, keys) =>
    expect(identitiesIn(type, text, { question: "", terms: [] }).map(({ key }) => key)).toEqual(keys),
  );

  test.each([
    ["who", "Who is the treasurer?", true],
    ["who", "Who can open the gate?", false],
    ["where", "Where is the key?", true],
    ["where", "In which room is the meeting?", true],
    ["where", "Where are the toilets?", false],
    ["contact", "What's the phone number of the office?", true],
    ["contact", "Who do I call at night?", true],
    ["when", "When is the fair?", false],
  ])("a question of type %p, %p, asks for one: %p", (type, question, expected) =>
    expect(asksIdentity(type, question)).toBe(expected),
  );
});

test.each([
  ["Dogs are not allowed.", true],
  ["Nobody may stay no later than ten.", true],
  ["It takes no more than an hour.", false],
  ["Nothing is not allowed.", false],
])("%p is denied: %p", (text, expected) => expect(isDenied(text)).toBe(expected));

test.each([
  ["Dogs may not be brought into the building.", "forbids"],
  ["You may bring your dog as long as it doesn't bark.", "allows"],
  ["A print may run overnight also when nobody is in the house.", "allows"],
  ["Nobody may print at night.", "forbids"],
  ["No battery is left on a charger overnight.", "forbids"],
  ["No fishing from the footbridge.", "forbids"],
  ["No deposit is needed.", undefined],
  ["The hall is red.", undefined],
])("the permission in %p: %p", (text, expected) =>
  expect<string | undefined>(permissionOf(text)).toBe(expected),
);

test.each([
  ["You must pay a deposit, otherwise we don't start.", "requires"],
  ["Each invoice shall bear the number of the order.", "requires"],
  ["You must not pay in cash.", undefined],
  ["No appointment is needed for the reading room.", "leaves free"],
  ["Adults may leave theirs off.", "leaves free"],
  ["Helmets are up to the climber.", "leaves free"],
  ["Nobody has to sign.", "leaves free"],
  ["The line is optional, and nobody checks it.", "leaves free"],
])("the obligation in %p: %p", (text, expected) =>
  expect<string | undefined>(obligationOf(text)).toBe(expected),
);

test.each([
  ["Do I have to pay a deposit?", true],
  ["Can I send it without a signature?", true],
  ["May I bring my dog?", false],
])("%p asks for an obligation: %p", (question, expected) => expect(asksObligation(question)).toBe(expected));
