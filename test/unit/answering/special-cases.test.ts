// A rule and one for a special case are no conflict, two rules for the same case are one; with the shipped weights.

import { expect, test } from "bun:test";
import { contradict } from "./ask.ts";

test.each([
  [
    "May visitors take photographs?",
    "Visitors may take photographs in the garden.",
    "Visitors may not take photographs in the crypt.",
  ],
  [
    "Are dogs allowed in the garden?",
    "Dogs are allowed in the garden on a lead.",
    "Dogs are not allowed in the garden without a lead.",
  ],
  [
    "Can I park in front of the school?",
    "Parents can park in front of the school after 17:00.",
    "Cars cannot park in front of the school between 7:00 and 9:00.",
  ],
  [
    "May I enter the greenhouse?",
    "Members may enter the greenhouse at any time.",
    "Nobody may enter the greenhouse while it is being sprayed.",
  ],
  [
    "Who waters the plants?",
    "The plants in the hall are watered by the secretary.",
    "The plants in the yard are watered by the gardener.",
  ],
  [
    "Who opens the gate?",
    "The porter opens the gate in the morning.",
    "The caretaker opens the gate on Sundays.",
  ],
  [
    "Who signs the invoice?",
    "The invoice is signed by the manager.",
    "Invoices above 5,000 euros are signed by the director.",
  ],
  [
    "How much is the entrance fee?",
    "The entrance fee is 12 euros.",
    "The entrance fee for children is 6 euros.",
  ],
  ["At what time does the shop open?", "The shop opens at 9:00.", "On Saturdays the shop opens at 10:00."],
  ["At what time does the shop open?", "The shop opens at 9:00.", "In winter the shop opens at 10:00."],
  ["How many members does the club have?", "The club has 240 members.", "In 2015 the club had 180 members."],
  [
    "When is the shop closed?",
    "The shop is closed on Mondays.",
    "The shop is open from Tuesday to Saturday.",
  ],
  [
    "Where does the bus leave?",
    "The bus leaves at the station.",
    "In winter the bus leaves at the town hall.",
  ],
  [
    "Where do I leave my bike?",
    "Bikes are left in the yard.",
    "Bikes are left at the racks in the yard behind the house.",
  ],
  ["Where is the office?", "The office is in Hamburg.", "The office is on the second floor."],
  [
    "Where is the first-aid kit?",
    "The first-aid kit is in the kitchen.",
    "A second first-aid kit is in the car.",
  ],
])("no conflict between a rule and one for another case: %s %s", async (question, a, b) =>
  expect(await contradict(question, a, b)).toEqual([]),
);

test.each([
  ["When does the board meet?", "The board meets on Mondays.", "The board meets on Thursdays."],
  [
    "Who opens the gate on Sundays?",
    "On Sundays the porter opens the gate.",
    "The gate is opened on Sundays by the caretaker.",
  ],
  ["Can I pay by card?", "You can pay by card.", "We cannot take card payments, only cash."],
])("still a conflict about the same case: %s", async (question, a, b) =>
  expect((await contradict(question, a, b)).length).toBe(1),
);
