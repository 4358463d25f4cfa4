// Differences of two cells, what changed most, and the cell that a question asks for.

import { describe, expect, test } from "bun:test";
import { ask } from "./ask.ts";
import { chunk } from "./evidence.ts";
import { cellFound, examples, table } from "./table-examples.ts";

const ROOMS = table(
  "Room | Beds | Price",
  "Single room | 1 | 60 €",
  "Double room | 2 | 90 €",
  "Suite | 4 | 160 €",
);
examples("between two rows", ROOMS, [
  [
    "How much more does the suite cost than a double room?",
    "Difference of Price: 160 € − 90 € = 70 €, from these rows: Suite, Double room",
  ],
  [
    "How much cheaper is the single room than the suite?",
    "Difference of Price: 160 € − 60 € = 100 €, from these rows: Single room, Suite",
  ],
  [
    "How many more beds does the suite have than the double room?",
    "Difference of Beds: 4 − 2 = 2, from these rows: Suite, Double room",
  ],
  ["How much dearer is the suite than a group room?", ""],
  ["How much dearer is the group room than the single room?", ""],
  ["How much dearer is the suite than the single room in winter?", ""],
  ["How much dearer is the suite than the single room for members in 2031?", ""],
  ["How many rooms cost more than 80 €?", "2 of 3 rows by Price: Double room, Suite"],
]);
examples(
  "between rows of a key that is not in the first column",
  table("No. | Name | Weight", "B1 | Wren | 14 kg", "B2 | Robin | 18.5 kg", "B3 | Crane | 40 kg"),
  [
    [
      "How much heavier is the Crane than the Wren?",
      "Difference of Weight: 40 kg − 14 kg = 26 kg, from these rows: B3, B1",
    ],
    ["What do the Wren and the Robin weigh together?", "Total of Weight: 32.5 kg, from these rows: B1, B2"],
  ],
);
examples("of temperatures", table("Month | Temperature (°C)", "May | 15", "July | 22"), [
  [
    "How much warmer is July than May?",
    "Difference of Temperature (°C): 22 − 15 = 7, from these rows: July, May",
  ],
]);
examples("of what is counted", table("Part | Stock", "Bolts | 1,200", "Nuts | 950", "Washers | 3,000"), [
  [
    "How many more washers than bolts are there?",
    "Difference of Stock: 3,000 − 1,200 = 1,800, from these rows: Washers, Bolts",
  ],
  ["How many bolts and nuts are there altogether?", "Total of Stock: 2,150, from these rows: Bolts, Nuts"],
]);

const PLANS = table(
  "Benefit | Basic | Silver | Gold",
  "Stay in a clinic, per day | 20 | 40 | 60",
  "Stay in a clinic, longest time | 10 days | 20 days | 45 days",
  "Glasses | – | 100 € | 150 €",
);
examples("between two columns", PLANS, [
  [
    "How many days longer does Gold pay for a clinic than Silver?",
    "Difference of Gold and Silver: 45 days − 20 days = 25 days, from this row: Stay in a clinic, longest time",
  ],
  [
    "How much more does Gold pay for glasses than Silver?",
    "Difference of Gold and Silver: 150 € − 100 € = 50 €, from this row: Glasses",
  ],
  ["How much more does Gold pay for glasses than Basic?", ""],
  ["How much more does Gold pay for a wheelchair than Silver?", ""],
]);
examples(
  "in the row with the range of a value",
  table(
    "Purchase price | Piano | Violin",
    "up to 1,000 | 40 | 30",
    "1,001 to 2,000 | 80 | 65",
    "2,001 to 5,000 | 150 | 120",
  ),
  [
    [
      "How many euros more is the premium for a piano than for a violin, if each cost 1,500 euros?",
      "Difference of Piano and Violin: 80 − 65 = 15, from this row: 1,001 to 2,000",
    ],
    ["How many euros more is the premium for a piano than for a violin, if each cost 9,000 euros?", ""],
  ],
);

const BUDGET = table(
  "Item | 2025 | 2026",
  "Roads | €1,640,000 | €1,875,000",
  "Fire brigade | €520,000 | €1,130,000",
  "Library | €410,000 | €395,000",
);
examples("between two years", BUDGET, [
  [
    "By how much did the budget of the fire brigade rise from 2025 to 2026?",
    "Difference of 2025 and 2026: €1,130,000 − €520,000 = €610,000, from this row: Fire brigade",
  ],
  [
    "Which item grew by the most euros from 2025 to 2026?",
    "The largest increase of 3 rows from 2025 to 2026: €1,130,000 − €520,000 = €610,000, in this row: Fire brigade",
  ],
  [
    "Which item had the smallest increase?",
    "The smallest increase of 3 rows from 2025 to 2026: €1,875,000 − €1,640,000 = €235,000, in this row: Roads",
  ],
  [
    "Which item fell the most between 2025 and 2026?",
    "The largest decrease of 3 rows from 2025 to 2026: €410,000 − €395,000 = €15,000, in this row: Library",
  ],
  ["Which item grew the most from 2019 to 2026?", ""],
  ["By how much did the budget of the museum rise from 2025 to 2026?", ""],
]);
examples("columns that are no times", table("Shop | Visitors | Staff", "A | 100 | 3", "B | 90 | 8"), [
  ["Which shop had the biggest drop?", ""],
]);
examples(
  "between two price lists",
  [
    table("Article | Price 2025", "Saw B4 | £549", "Saw C2 | £100"),
    table("Article | Price 2026", "Saw B4 | £565", "Saw C2 | £100"),
  ],
  [
    [
      "By how many pounds has the Saw B4 gone up from the 2025 price list to the 2026 one?",
      "Difference of Price 2025 and Price 2026: £565 − £549 = £16, from these rows: Saw B4, Saw B4",
    ],
    ["By how many pounds has the Saw B4 gone up from the 2024 price list to the 2026 one?", ""],
  ],
);

test("the difference between two things is the result of the last of two parts", async () => {
  const { answer } = await ask(
    "What is the difference in price between the suite and the double room?",
    ROOMS,
  );
  expect(answer).toContain("Difference of Price: 160 € − 90 € = 70 €, from these rows:");
});

const POST = table(
  "Weight of a parcel | Inland | Abroad",
  "up to 1 kg | 4 € | 9 €",
  "1.1–5 kg | 6 € | 15 €",
  "over 5 kg | 14 € | –",
);
const EXAMS = table("Per cent | Grade | In words", "88–100 | 9 | outstanding", "70–87 | 8 | very good");
const AGES = table("Age | Fee", "0–5 years | free", "6–17 years | 4 €", "18 and over | 9 €");
const BOATS = table("No. | Name | Rack | Hull width (cm)", "R1 | São João | B1 | 60", "R2 | Föhn | C2 | 45");
describe("the cell in a row and a column", () => {
  test.each([
    ["What does a parcel of 3 kg cost abroad?", POST, "Abroad: 15 €"],
    ["What does a parcel of 900 g cost inland?", POST, "Inland: 4 €"],
    ["What does a parcel of 12 kg cost abroad?", POST, ""],
    ["I got 74 percent. What is that called in words?", EXAMS, "In words: very good"],
    ["What is the fee for a 7-year-old?", AGES, "Fee: 4 €"],
    ["My aunt is 61 years old. What is the fee?", AGES, "Fee: 9 €"],
    ["On which rack is the Sao Joao?", BOATS, "Rack: B1"],
    ["How wide is the hull of the Föhn?", BOATS, "Hull width (cm): 45"],
    ["How wide is the Föhn?", BOATS, "Hull width (cm): 45"],
    ["How deep is the Föhn?", BOATS, ""],
    ["Who built the Föhn?", BOATS, ""],
    ["Why is the Föhn on this rack?", BOATS, ""],
    ["How much does the suite cost?", ROOMS, "Price: 160 €"],
    ["How much does the suite cost without breakfast?", ROOMS, ""],
    ["What does the deposit for the suite cost?", ROOMS, ""],
    ["What does the suite cost on Sundays?", ROOMS, ""],
    ["What does a family room cost?", ROOMS, ""],
  ])("%s", (question, evidence, expected) => expect(cellFound(question, evidence)).toBe(expected));

  const OTHER = table("Room | Price in euros", "Suite | 160", "Loft | 80");
  test.each([
    [
      "two tables that state the same",
      [OTHER, table("Room | Price in euros", "Suite | 160", "Attic | 50")],
      "Price in euros: 160",
    ],
    ["two tables that differ", [OTHER, table("Room | Price in euros", "Suite | 180", "Attic | 50")], ""],
  ])("%s", (_name, evidence, expected) =>
    expect(cellFound("What does the suite cost?", ...evidence)).toBe(expected),
  );

  test("citation marks in a cell are escaped", async () => {
    const { answer } = await ask(
      "How much does the suite cost?",
      table("Room | Price", "Suite | 9 € [[x]]", "Loft | 8 €"),
    );
    expect(answer).toStartWith("Price: 9 € ");
    expect(answer).not.toContain("[[x]]");
  });

  test("other passages are quoted beside it", async () => {
    const note = chunk("note", "The suite costs 150 € in spring.");
    const { answer } = await ask("How much does the suite cost?", ROOMS, note);
    expect(answer).toStartWith("Price: 160 €, in this row:");
    expect(answer).toContain("in spring");
  });
});
