// Sums of some rows, of the first things and the further ones, and prices for several days.

import { describe, expect, test } from "bun:test";
import { chunk } from "./evidence.ts";
import { cellFound, examples, table } from "./table-examples.ts";

examples(
  "the rows with a value",
  table(
    "Box | Unit | Owner | Tubes",
    "A-1 | Freezer A | Ann | 81",
    "A-2 | Freezer A | Bob | 64",
    "D-1 | Freezer D | Bob | 45",
    "D-2 | Freezer D | both | 31",
  ),
  [
    ["How many tubes are in Freezer D altogether?", "Total of Tubes: 76, from these rows: D-1, D-2"],
    ["How many tubes does Bob have in total?", "Total of Tubes: 109, from these rows: A-2, D-1"],
    ["How many tubes are in Freezer E altogether?", ""],
    ["How many tubes are in Freezer D altogether in winter?", ""],
  ],
);
examples(
  "all rows of a name",
  table("Part | Minutes", "Act 1 | 50", "Break | 20", "Act 2 | 45", "Act 3 | 40"),
  [
    [
      "How many minutes do all three acts take together?",
      "Total of Minutes: 135, from these rows: Act 1, Act 2, Act 3",
    ],
    [
      "How many minutes do all acts take together?",
      "Total of Minutes: 135, from these rows: Act 1, Act 2, Act 3",
    ],
    ["How many minutes do the four acts take together?", ""],
    ["How many minutes do acts take together?", ""],
  ],
);
const STAGES = table(
  "Stage | Distance | Ascent | Walking time",
  "1 | 12.4 km | 640 m | 4 h 30 min",
  "2 | 9.8 km | 210 m | 3 h",
  "3 | 15.1 km | 880 m | 6 h 15 min",
);
examples("what is stated in the unit that is asked for", STAGES, [
  [
    "How many kilometres are all three stages together?",
    "Total of Distance: 37.3 km, from these rows: 1, 2, 3",
  ],
  [
    "How many hours do you walk in total on all stages?",
    "Total of Walking time: 13 h 45 min, from these rows: 1, 2, 3",
  ],
  [
    "How many kilometres longer is stage 3 than stage 1?",
    "Difference of Distance: 15.1 km − 12.4 km = 2.7 km, from these rows: 3, 1",
  ],
  ["How much ascent do stages 1 and 2 have altogether?", "Total of Ascent: 850 m, from these rows: 1, 2"],
  ["How many kilometres are all four stages together?", ""],
  ["How much longer is stage 3 than stage 2?", ""],
  ["Which stage with less than 700 m of ascent is the longest?", ""],
  [
    "Which stage with less than 700 m of ascent takes the most time?",
    "The highest of 2 rows by Walking time: 1",
  ],
]);
examples("names of one letter", table("Grade | Points", "A* | 56", "A | 48", "B | 40", "C | 32"), [
  [
    "How many points are one A, one B and one C altogether?",
    "Total of Points: 120, from these rows: A, B, C",
  ],
  ["How many points are one A* and one C altogether?", "Total of Points: 88, from these rows: A*, C"],
]);
examples(
  "the first, the second and each further one",
  table(
    "Dog | Per year",
    "First dog | €84",
    "Second dog | €120",
    "Third and every further dog | €156",
    "Dangerous dog, first | €600",
    "Dangerous dog, each further | €780",
  ),
  [
    [
      "What do we pay for two dogs together?",
      "Total of Per year: €204, from these rows: First dog, Second dog",
    ],
    [
      "What do four dogs cost?",
      "Total of Per year with 2 × Third and every further dog: €516, from these rows: First dog, Second dog, Third and every further dog",
    ],
    [
      "What do two dangerous dogs cost in total?",
      "Total of Per year: €1380, from these rows: Dangerous dog, first, Dangerous dog, each further",
    ],
    ["What does one dog cost?", ""],
    ["What do two cats cost?", ""],
  ],
);
examples("the first one for free", table("Bag | Price", "1st bag | free", "Each additional bag | 30 €"), [
  [
    "I travel with three bags. What do I pay?",
    "Total of Price with 2 × Each additional bag: 60 €, from these rows: 1st bag, Each additional bag",
  ],
]);

const BIKES = table("Bike | Fee per day | Deposit", "City bike | 12 € | 50 €", "E-bike | 28 € | 200 €");
examples("prices per day", BIKES, [
  [
    "What does a city bike cost for 3 days?",
    "Total of Fee per day with 3 times each: 36 €, from this row: City bike",
  ],
  [
    "What do a city bike and an e-bike cost together for 3 days?",
    "Total of Fee per day with 3 times each: 120 €, from these rows: City bike, E-bike",
  ],
  [
    "What do two e-bikes cost for 3 days?",
    "Total of Fee per day with 2 × E-bike, 3 times each: 168 €, from this row: E-bike",
  ],
  ["What does a city bike cost for 3 hours?", ""],
  ["What is the deposit for an e-bike for 4 days?", ""],
  ["What do I pay if I cancel the e-bike 2 days before?", ""],
]);
examples(
  "prices per day in the cells",
  table("Boat | Price", "Canoe | 20 € per day", "Kayak | 15 € per day"),
  [["What does a canoe cost for 3 days?", "Total of Price with 3 times each: 60 €, from this row: Canoe"]],
);
examples(
  "numbers in names",
  table(
    "What | Price",
    "Table for 4 people | 12 €",
    "Bench | 5 €",
    "Family (2 adults) | 20 €",
    "Adult | 11 €",
  ),
  [
    ["What does the table for 4 people cost?", ""],
    ["What do 3 benches cost?", "Total of Price with 3 × Bench: 15 €, from these rows: Bench"],
    [
      "What do 3 adults and 2 benches cost?",
      "Total of Price with 2 × Bench and 3 × Adult: 43 €, from these rows: Bench, Adult",
    ],
    ["What do 3 adults with a bench pay?", ""],
    ["What do 3 adults pay?", "Total of Price with 3 × Adult: 33 €, from these rows: Adult"],
  ],
);
examples(
  "prices per person and night",
  table("What | Amount", "Tourist tax | 2.50 € per person and night", "Dog | 8 € per night"),
  [
    [
      "What do two people pay in tourist tax for three nights?",
      "Total of Amount with 6 times each: 15.00 €, from this row: Tourist tax",
    ],
    ["What is the tourist tax for three nights?", ""],
    ["What does a dog cost for 4 nights?", "Total of Amount with 4 times each: 32 €, from this row: Dog"],
  ],
);
examples(
  "rows that are counted",
  table(
    "Room | Balcony | View | Floor",
    "Oak | yes | sea | 1",
    "Elm | no | garden | 1",
    "Ash | yes | garden | 2",
  ),
  [
    ["How many rooms have a balcony?", "2 of 3 rows: Oak, Ash"],
    ["How many of the rooms have a garden view?", "2 of 3 rows: Elm, Ash"],
    ["How many rooms with a balcony are on floor 2?", "1 of 3 rows: Ash"],
    ["How many rooms have a kitchen?", ""],
    ["How many rooms are there?", ""],
    ["How many guests have a balcony?", ""],
  ],
);

describe("a price for one in a sentence", () => {
  const TAX = chunk("tax", "The tourist tax is 2.50 euros per person and night.");
  const PARKING = chunk("parking", "Parking in the garage costs €14 per day.");
  const WEEKS = chunk("weeks", "Parking costs €14 per day and €60 per week.");

  test.each([
    ["How much tourist tax do two people pay for three nights?", TAX, "2 × 3 × 2.50 euros = 15.00 euros"],
    ["How much tourist tax do I pay for three nights?", TAX, ""],
    ["What does parking in the garage cost for 5 days?", PARKING, "5 × €14 = €70"],
    ["What does parking in the garage cost for 5 days in total?", PARKING, "5 × €14 = €70"],
    ["What does parking cost for 5 hours?", PARKING, ""],
    ["What does parking a bus cost for 5 days?", PARKING, ""],
    ["What does parking cost for 5 days in winter?", PARKING, ""],
    ["What does parking cost for 5 days?", WEEKS, ""],
    ["How many days may I park?", PARKING, ""],
  ])("%s", (question, evidence, expected) => expect(cellFound(question, evidence)).toBe(expected));
});
