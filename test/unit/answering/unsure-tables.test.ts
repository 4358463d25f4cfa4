// What is not computed from tables because it would be wrong: other words, other tables, other amounts than the question means.

import { describe, expect, test } from "bun:test";
import { chunk } from "./evidence.ts";
import { cellFound, computed, examples, lines, table } from "./table-examples.ts";

examples(
  "negations and opposites",
  table("Museum | Entry | Closed on", "Toys | free | Monday", "Trams | 8 € | Tuesday", "Art | 14 € | Monday"),
  [
    ["How many museums are closed on Monday?", "2 of 3 rows: Toys, Art"],
    ["How many museums are not closed on Monday?", ""],
    ["How many museums aren't free?", ""],
    ["Which is the cheapest museum that is not free?", ""],
    ["Which museum open on Monday is the cheapest?", ""],
    ["Which museums cost no more than 8 euros?", "2 of 3 rows by Entry: Toys, Trams"],
    ["Which museums don't cost more than 8 euros?", "2 of 3 rows by Entry: Toys, Trams"],
  ],
);

examples(
  "names that share a word with a row",
  table("What | Price", "Suite | 160 €", "Single room | 60 €", "Parking space | 9 €"),
  [
    [
      "What do two single rooms cost?",
      "Total of Price with 2 × Single room: 120 €, from these rows: Single room",
    ],
    ["What do two family rooms cost?", ""],
    ["What do three parking tickets cost?", ""],
    ["What do two suites cost for children?", ""],
    ["What do a suite and a single room cost together for children?", ""],
  ],
);

examples(
  "limits in cells",
  table("Service | Price", "Haircut | from 35 €", "Colour | 60 €", "Wash | 12 €", "Perm | 50 € or more"),
  [
    ["What do a haircut and a colour cost together?", ""],
    ["What do three haircuts cost?", ""],
    ["What do 2 washes cost?", "Total of Price with 2 × Wash: 24 €, from these rows: Wash"],
    ["Which service is the most expensive?", ""],
    ["Which services cost less than 40 euros?", ""],
    ["How much dearer is a colour than a haircut?", ""],
    ["Which service is the cheapest?", "The lowest of 4 rows by Price: Wash"],
  ],
);

examples(
  "dots that separate thousands or decimals",
  table("Region | Sales", "North | 1.200", "East | 950", "West | 2.100"),
  [
    ["Which region has the highest sales?", ""],
    ["What are the sales of North and East together?", ""],
  ],
);

const COUNTRIES = table(
  "Country | 2022 | 2024",
  "Chad | 17.2 million | 18.3 million",
  "Mali | 22.6 million | 24.0 million",
);
examples("scales and numbers in words", COUNTRIES, [
  [
    "By how much did Mali grow from 2022 to 2024?",
    "Difference of 2022 and 2024: 24.0 million − 22.6 million = 1.4 million, from this row: Mali",
  ],
  ["What is the sum of Chad and Mali in 2024?", "Total of 2024: 42.3 million, from these rows: Chad, Mali"],
]);
examples("numbers in words", table("Course | Length", "Glass | two weeks", "Wood | three weeks"), [
  [
    "How many weeks do Glass and Wood take together?",
    "Total of Length: 5 weeks, from these rows: Glass, Wood",
  ],
]);
examples("parts of an amount", table("Walk | Time", "Oak | 4 h 30 min", "Elm | 6 h 15 min"), [
  [
    "How much longer is the Elm walk than the Oak walk?",
    "Difference of Time: 6 h 15 min − 4 h 30 min = 1 h 45 min, from these rows: Elm, Oak",
  ],
]);
examples("percentages", table("Fund | 2024 | 2025", "Alpha | 7.2 % | 3.1 %", "Beta | 9.8 % | 5 %"), [
  [
    "By how much did Alpha drop from 2024 to 2025?",
    "Difference of 2024 and 2025: 7.2 % − 3.1 % = 4.1 percentage points, from this row: Alpha",
  ],
  [
    "How much higher was Beta than Alpha in 2024?",
    "Difference of 2024: 9.8 % − 7.2 % = 2.6 percentage points, from these rows: Beta, Alpha",
  ],
]);
examples("bytes, of which a thousand may be 1024", table("Plan | Storage", "Plus | 100 GB", "Pro | 1 TB"), [
  ["How much storage do Plus and Pro have together?", ""],
  ["How much more storage does Pro have than Plus?", ""],
  ["Which plans have more than 500 GB of storage?", "1 of 2 rows by Storage: Pro"],
]);

examples(
  "names that begin like a total",
  table("Ticket | Price", "Single | 3 €", "All-day ticket | 9 €", "Pass | 7 €"),
  [["Which ticket is the most expensive?", "The highest of 3 rows by Price: All-day ticket"]],
);
examples("an average", table("Week | Visitors", "1 | 120", "2 | 150", "Average | 135"), [
  ["How many visitors were there in total?", "Total of Visitors: 270, from these rows: 1, 2"],
]);
examples(
  "subtotals",
  table("Item | Cost", "Paint | 40 €", "Subtotal | 40 €", "Wood | 90 €", "Subtotal | 90 €", "Total | 130 €"),
  [
    ["What do the items cost in total?", "Total of Cost: Total"],
    ["Which item is the most expensive?", "The highest of 2 rows by Cost: Wood"],
  ],
);

const MODULES = table(
  "Code | Module | Credits | Semester",
  "CS101 | Logic | 6 | 1",
  "CS102 | Graphs | 9 | 2",
  "MA201 | Analysis | 9 | 1",
);
examples("numbers that are no quantities, and rows with a code", MODULES, [
  ["How many semesters do Logic and Graphs take together?", ""],
  ["How many credits do I need in total?", ""],
  [
    "How many credits do Logic and Graphs have together?",
    "Total of Credits: 15, from these rows: CS101, CS102",
  ],
  [
    "How many more credits does CS102 have than CS101?",
    "Difference of Credits: 9 − 6 = 3, from these rows: CS102, CS101",
  ],
  ["Which modules have at least 9 credits?", "2 of 3 rows by Credits: CS102, MA201"],
  ["How many modules are in semester 1?", "2 of 3 rows: CS101, MA201"],
]);
examples("numbers of other columns", table("Trail | Fee | Min age", "Oak | 4 € | 6", "Elm | 7 € | 10"), [
  ["What do Oak and Elm cost together?", "Total of Fee: 11 €, from these rows: Oak, Elm"],
  ["What do Oak and Elm cost together for a group of 10?", ""],
]);
examples("rates", table("Drug | Per day | Max. days", "Amoxi | 3 | 7", "Ibu | 4 | 5"), [
  ["Which drug may be taken the longest?", "The highest of 2 rows by Max. days: Amoxi"],
]);
examples(
  "sizes of other things",
  table("Plant | Height | Water per week", "Basil | 30 cm | 500 ml", "Rose | 2 m | 200 ml"),
  [["Which plant is the smallest?", ""]],
);
examples("a row that is repeated", table("Boat | Length", "Orca | 6 m", "Wal | 8 m", "Orca | 6 m"), [
  ["How many metres are all boats together?", ""],
]);

const PARCELS = table(
  "Parcel | Germany | EU",
  "up to 2 kg | 5 € | 14 €",
  "up to 5 kg | 7 € | 16 €",
  "up to 10 kg | 10 € | 21 €",
);
const ENTRIES = table(
  "Ticket | Adult | Child",
  "Single entry | 6.50 € | 3.20 €",
  "Ten entries | 58 € | 29 €",
);
const DRUGS = table("Drug | Per day | Dose", "Amoxi | 3 | 500 mg", "Ibu | 4 | 400 mg");
describe("cells", () => {
  test.each([
    ["What does a parcel of 4 kg cost in the EU?", PARCELS, "EU: 16 €"],
    ["What does a parcel of 40 kg cost in the EU?", PARCELS, ""],
    ["What do two parcels of 4 kg cost in the EU?", PARCELS, ""],
    ["What does a single entry cost for a child?", ENTRIES, "Child: 3.20 €"],
    ["What do 3 children pay for a single entry?", ENTRIES, ""],
    ["How many mg of Amoxi per day?", DRUGS, ""],
    ["How many days may I take Ibu?", DRUGS, ""],
  ])("%s", (question, evidence, expected) => expect(cellFound(question, evidence)).toBe(expected));

  test("of a table of which a piece is missing are not stated", () => {
    const piece = { ...table("Room | Price", "Suite | 160 €", "Loft | 80 €"), continuedBy: "missing" };
    expect(cellFound("What does the suite cost?", piece)).toBe("");
  });
});

examples("a span of rows", table("Month | Use (kWh)", "January | 410", "February | 380", "March | 350"), [
  ["How many kWh were used from January to March in total?", ""],
  [
    "How many kWh were used in January and March in total?",
    "Total of Use (kWh): 760, from these rows: January, March",
  ],
]);
examples("a column of differences", table("Team | Goal difference", "Rovers | 12", "United | 4"), [
  ["What is the difference between Rovers and United?", ""],
]);

test.each([
  ["What do members pay for 4 months?", "Members pay 12 euros per month, with a minimum of 6 months."],
  ["What do 3 nights cost?", "A room costs from 80 € per night."],
  ["What does parking cost for 3 days?", "Parking does not cost 10 € per day any more."],
])("%s Not from “%s”", (question, text) => expect(cellFound(question, chunk("s", text))).toBe(""));

examples(
  "columns that could be meant as well",
  table("Course | Lessons | Price", "Seahorse | 10 | 110 €", "Bronze | 12 | 125 €", "Aqua fit | 8 | 76 €"),
  [
    ["Which courses cost more than 100 euros?", "2 of 3 rows by Price: Seahorse, Bronze"],
    ["How many lessons cost more than 100 euros?", ""],
  ],
);
examples(
  "a column with two numbers in a cell",
  table(
    "Pool | Length | Depth",
    "Sports pool | 25 m | 1.8–2.2 m",
    "Small pool | 12 m | 0.9 m",
    "Lido | 50 m | 2 m",
  ),
  [
    [
      "How much longer is the Lido than the sports pool?",
      "Difference of Length: 50 m − 25 m = 25 m, from these rows: Lido, Sports pool",
    ],
    ["How much deeper is the Lido than the sports pool?", ""],
  ],
);

const HALLS = table(
  "Hall | Area | Seats | Rent",
  "Amber | 24 m² | 12 | 90 €",
  "Jade | 40 m² | 30 | 50 €",
  "Ruby | 30 m² | 20 | 70 €",
);
examples("sizes and prices", HALLS, [
  ["What does the largest hall cost?", "The highest of 3 rows by Area: Jade"],
  ["What is the rent of the smallest hall?", "The lowest of 3 rows by Area: Amber"],
  ["Which hall has the highest rent?", "The highest of 3 rows by Rent: Amber"],
  ["What do the other halls cost in total?", ""],
  ["What percentage of seats is in Ruby?", ""],
]);

const priceList = (season: string, ...prices: number[]) => {
  const rows = ["Loft", "Attic", "Cellar"].map((room, i) => `${room} | ${prices[i]} €`);
  return chunk(season, lines("Room | Price", "- | -", ...rows), { path: [season] });
};
examples(
  "two price lists",
  [priceList("Summer", 90, 70, 40), priceList("Winter", 60, 50, 55)],
  [
    ["Which room is the cheapest?", ""],
    ["Which room is the cheapest in winter?", "The lowest of 3 rows by Price: Attic"],
    ["Which room is the cheapest in summer?", "The lowest of 3 rows by Price: Cellar"],
    ["Which rooms cost less than 60 euros?", ""],
    ["What do Loft and Attic cost together?", ""],
    [
      "What do Loft and Attic cost together in winter?",
      "Total of Price: 110 €, from these rows: Loft, Attic",
    ],
    ["How much dearer is the loft than the attic?", ""],
  ],
);

test.each(["", "Boats can be hired as well.\n\n"])(
  "two tables in one chunk are not one, %p between",
  (between) => {
    const rooms = lines("Room | Price", "- | -", "Loft | 90 €", "Attic | 70 €");
    const boats = lines("Boat | Price", "- | -", "Oak | 20 €", "Elm | 30 €");
    expect(computed("Which room is the cheapest?", chunk("both", `${rooms}\n\n${between}${boats}`))).toBe(
      "The lowest of 2 rows by Price: Attic",
    );
  },
);
