// What is computed from tables, what is not because it is not sure, and how answers show it.

import { describe, expect, test } from "bun:test";
import { ask } from "./ask.ts";
import { chunk } from "./evidence.ts";
import { computed, examples, lines, table } from "./table-examples.ts";

const TENTS = table("Tent | People | Weight", "Lark | 2 | 1.8 kg", "Heron | 4 | 3.5 kg", "Eagle | 6 | 5 kg");
examples("limits", TENTS, [
  ["Which tents weigh no more than 3 kg?", "1 of 3 rows by Weight: Lark"],
  ["What do a Lark with pegs and a Heron weigh together?", ""],
  ["Which tents weigh at most 5 kg?", "3 of 3 rows by Weight: Lark, Heron, Eagle"],
  ["Which tents weigh less than 5 kg?", "2 of 3 rows by Weight: Lark, Heron"],
  ["Which tents are not heavier than 3500 g?", "2 of 3 rows by Weight: Lark, Heron"],
  ["Which tents weigh 3.5 kg or less?", "2 of 3 rows by Weight: Lark, Heron"],
  ["How many tents weigh more than 3 kg?", "2 of 3 rows by Weight: Heron, Eagle"],
  ["Which tents hold at least 4 people?", "2 of 3 rows by People: Heron, Eagle"],
  ["Which tents are for 4 people or more?", "2 of 3 rows by People: Heron, Eagle"],
  ["Which tents hold fewer than 6 people?", "2 of 3 rows by People: Lark, Heron"],
  ["Which tents have more than 3 doors?", ""],
  ["Which tents with space for people have more than 3 doors?", ""],
  ["Which tents are for more than 3 people and weigh less than 4 kg?", ""],
  ["How many people fit in a tent heavier than 3 kg?", ""],
]);

examples(
  "columns that say yes or no",
  table(
    "Plant | Litres per day | Shade | Place",
    "Tomato | 3 | no | bed",
    "Fern | 1 | yes | pot",
    "Hosta | 2 | yes | bed",
    "Basil | 0.5 | no | pot",
  ),
  [
    ["Which plants need shade?", "2 of 4 rows by Shade: Fern, Hosta"],
    ["Which plants do not need shade?", "2 of 4 rows by Shade: Tomato, Basil"],
    ["Which plants grow without shade?", "2 of 4 rows by Shade: Tomato, Basil"],
    ["Which plants in a pot need shade?", "1 of 2 rows by Shade: Fern"],
    ["Which plants need shade except ferns?", ""],
    ["Which plants need fertilizer?", ""],
    ["Which tools need shade?", ""],
    ["What is shade?", ""],
  ],
);
examples(
  "marks, of which empty cells are none",
  table("Plan | Backups | Single sign-on", "Free | | ", "Team | ✓ | ", "Company | ✓ | ✓"),
  [
    ["Which plan includes single sign-on?", "1 of 3 rows by Single sign-on: Company"],
    ["Which plans have no backups?", "1 of 3 rows by Backups: Free"],
  ],
);

examples(
  "what the rows are about",
  table("Boat | Weight | Price per day", "Oak | 30 kg | 20 €", "Elm | 55 kg | 35 €", "Ash | 80 kg | 50 €"),
  [
    ["Which boats can I hire for less than 40 euros a day?", "2 of 3 rows by Price per day: Oak, Elm"],
    ["Which documents do I need for boats over 50 kg?", ""],
    ["Who may hire a boat over 50 kg?", ""],
    ["Which boat should I take if I weigh more than 90 kg?", ""],
    ["Which boat should I take if I weigh more than 50 kg?", ""],
  ],
);

examples(
  "limits that say nothing about the rows",
  table("Visitor | Fee", "Adults | 12 €", "Children | 6 €", "Seniors | 9 €"),
  [
    ["What is the fee for children under 12?", ""],
    ["Which fee applies to children under 12?", ""],
    ["How much does the fee come to in total?", ""],
    ["Which visitors pay less than 10 €?", "2 of 3 rows by Fee: Children, Seniors"],
    ["Which visitors pay less than 10 dollars?", ""],
    [
      "What do 2 adults and 3 children pay in total?",
      "Total of Fee with 2 × Adults and 3 × Children: 42 €, from these rows: Adults, Children",
    ],
  ],
);
examples(
  "percentages",
  table("Visitor | Discount", "Families | 5 %", "Groups over 10 people | 15 %", "Schools | 20 %"),
  [
    ["What is the discount for groups of more than 10 people?", ""],
    ["Who gets a discount of at least 15 %?", "2 of 3 rows by Discount: Groups over 10 people, Schools"],
    ["What discount do families and schools get together?", ""],
  ],
);
examples("times", table("Course | Length", "Pottery | 10 days", "Glass | 6 days", "Weaving | 21 days"), [
  ["What can I cancel up to 14 days before the course?", ""],
  ["Which courses can I cancel up to 14 days before the start?", ""],
  ["Which courses do I need for a stay of more than 3 months?", ""],
  ["Which courses are longer than a week?", "2 of 3 rows by Length: Pottery, Weaving"],
]);

examples(
  "conditions",
  table("Room | Balcony | Price", "Single | no | 60 €", "Double | yes | 140 €", "Suite | yes | 200 €"),
  [
    ["Which is the least expensive room?", "The lowest of 3 rows by Price: Single"],
    ["Which is the most expensive room?", "The highest of 3 rows by Price: Suite"],
    ["What is the cheapest room with a balcony?", "The lowest of 2 rows by Price: Double"],
    ["What is the cheapest room with a kitchen?", ""],
    ["What is the cheapest room for 2 people?", ""],
    ["What is the cheapest room for two people?", ""],
    ["Which room without a balcony is the cheapest?", ""],
    ["Which is the second cheapest room?", ""],
    ["Which rooms are cheaper than 150?", "2 of 3 rows by Price: Single, Double"],
  ],
);
examples(
  "a condition that one row meets",
  table("Room | Price", "Single | 60 €", "Double with a balcony | 140 €", "Suite | 200 €"),
  [["Which is the cheapest room with a balcony?", ""]],
);
examples("ages", table("Name | Age", "Ann | 34", "Bob | 61", "Cem | 19"), [
  ["Who is the oldest?", "The highest of 3 rows by Age: Bob"],
  ["Who is the youngest?", "The lowest of 3 rows by Age: Cem"],
  ["Who is older than 30?", "2 of 3 rows by Age: Ann, Bob"],
]);
examples("years", table("Church | Built", "St Ann | 1834", "St Bob | 1761", "St Cem | 1919"), [
  ["Which church is the oldest?", "The lowest of 3 rows by Built: St Bob"],
  ["Which churches are older than 1900?", "2 of 3 rows by Built: St Ann, St Bob"],
]);
examples("durations", table("Runner | Time", "Ann | 52 s", "Bob | 1 min 1 s", "Cem | 58 s"), [
  ["Which runner is the fastest?", "The lowest of 3 rows by Time: Ann"],
  ["Which runner is the slowest?", "The highest of 3 rows by Time: Bob"],
]);
examples("lengths", table("Trail | Length", "Oak | 2000 m", "Elm | 900 m", "Ash | 4 km"), [
  ["Which trail is the shortest?", "The lowest of 3 rows by Length: Elm"],
  ["Which trail is the longest?", "The highest of 3 rows by Length: Ash"],
]);
examples(
  "two columns that fit as well",
  table("Boat | Price per day | Price per week", "Oak | 20 € | 100 €", "Elm | 25 € | 90 €"),
  [
    ["Which boat is the cheapest?", ""],
    ["Which boat is the cheapest per week?", "The lowest of 2 rows by Price per week: Elm"],
  ],
);

examples(
  "a superlative within a limit, and ranges",
  table(
    "Tent | People | Weight | Price",
    "Lark | 2 | 1.8 kg | 120 €",
    "Heron | 4 | 3.5 kg | 260 €",
    "Kite | 4 | 4.2 kg | 190 €",
  ),
  [
    ["What is the cheapest tent for at least 4 people?", "The lowest of 2 rows by Price: Kite"],
    ["Which is the lightest tent under 250 euros?", "The lowest of 2 rows by Weight: Lark"],
    ["Which tents cost between 150 and 300 euros?", "2 of 3 rows by Price: Heron, Kite"],
    ["Which tent costs the least?", "The lowest of 3 rows by Price: Lark"],
    ["What is the highest price of a tent?", "The highest of 3 rows by Price: Heron"],
    ["Which tent has the largest window?", ""],
    ["What is the highest load that a tent can carry?", ""],
    ["Which tent is the cheapest in winter?", ""],
  ],
);
examples(
  "headers that name what is compared, and what is measured in its sort",
  table("Drug | How often | For how long", "Asa | every 6 hours | 14 days", "Ibu | every 8 hours | 9 days"),
  [["Which drug is taken the longest?", "The highest of 2 rows by For how long: Asa"]],
);
examples("the row of a total", table("Item | Cost", "Paint | 40 €", "Wood | 90 €", "Total | 130 €"), [
  ["Which item is the most expensive?", "The highest of 2 rows by Cost: Wood"],
  ["How much do the items cost in total?", "Total of Cost: Total"],
]);
examples("numbers of a noun", table("Group | Members", "Rowing | 20", "Canoe | 12", "Sailing | 9"), [
  ["Which group has the most members?", "The highest of 3 rows by Members: Rowing"],
  ["What do most members choose?", ""],
  ["How many members are there in total?", "Total of Members: 41, from these rows: Rowing, Canoe, Sailing"],
  ["How many members did the club lose in total?", ""],
  ["How many members were there in total in 2019?", ""],
  ["How many members does the rowing group have in total?", ""],
]);
examples(
  "units and decimal commas",
  table("Thing | Weight | Price", "Flour | 2 kg | 9,50 €", "Sugar | 500 g | 12,00 €", "Salt | - | 30,25 €"),
  [
    ["How much do flour and sugar weigh together?", "Total of Weight: 2.5 kg, from these rows: Flour, Sugar"],
    ["How much do flour and salt weigh together?", ""],
    ["How much do flour, pepper and sugar weigh together?", ""],
    ["What do flour and sugar cost together?", "Total of Price: 21,50 €, from these rows: Flour, Sugar"],
    [
      "What do 3 packs of flour and 2 packs of sugar cost in total?",
      "Total of Price with 3 × Flour and 2 × Sugar: 52,50 €, from these rows: Flour, Sugar",
    ],
    ["What do flour and sugar cost together for 3 days?", ""],
  ],
);
examples("bare decimal commas", table("Thing | Price", "Cap | 9,50", "Rope | 12,00", "Net | 30,25"), [
  ["Which thing is the cheapest?", "The lowest of 3 rows by Price: Cap"],
]);
examples("two numbers in a cell", table("Thing | Price", "Cap | 9, 12", "Rope | 12", "Net | 30"), [
  ["Which thing is the cheapest?", ""],
]);
examples("two currencies", table("Thing | Price", "Cap | £9", "Rope | $12", "Net | £30"), [
  ["Which thing is the cheapest?", ""],
  ["What do the cap and the rope cost together?", ""],
]);
examples(
  "the column that was asked for",
  table(
    "Course | Teacher | Price | Places",
    "Pottery | Ann | 45 € | 12",
    "Glass | Bob | 60 € | 8",
    "Weaving | Ann | 30 € | 10",
  ),
  [
    [
      "How much do pottery and glass come to in total?",
      "Total of Price: 105 €, from these rows: Pottery, Glass",
    ],
    ["Which of Ann's courses is the cheapest?", "The lowest of 2 rows by Price: Weaving"],
  ],
);
examples(
  "names with numbers, and names that share a word",
  table("Boat | Price", "Orca 2 | 60 €", "Orca 3 | 90 €", "Heron | 110 €"),
  [
    ["What do Orca 2 and Heron cost together?", "Total of Price: 170 €, from these rows: Orca 2, Heron"],
    ["What do 2 Herons cost in total?", "Total of Price with 2 × Heron: 220 €, from these rows: Heron"],
    ["What do the Orca and the Heron cost together?", ""],
  ],
);

describe("a table in two pieces", () => {
  const first = table("Boat | Price", "Oak | 60 €", "Elm | 50 €");
  const pieces = [
    { ...first, id: "p1", documentId: "d", continuedBy: "p2" },
    chunk("p2", lines("Ash | 40 €", "Fir | 70 €"), {
      documentId: "d",
      previousId: "p1",
      before: first.text,
    }),
  ] as const;
  const QUESTION = "Which boat is the cheapest?";

  test("is computed from both", () =>
    expect(computed(QUESTION, ...pieces)).toBe("The lowest of 4 rows by Price: Ash"));
  test.each(pieces)("is not computed from one", (piece) => expect(computed(QUESTION, piece)).toBe(""));
});

test("beside a result, nothing else is quoted", async () => {
  const near = chunk("near", "A tent for 4 people takes long to dry.");
  const { answer: text } = await ask("Which tents hold at least 4 people?", TENTS, near);
  expect(text).toContain("Eagle");
  expect(text).not.toContain("Lark");
  expect(text).not.toContain("to dry");
});

test("where the row of a part is quoted for an earlier one, no other row is quoted", async () => {
  const { answer: text } = await ask("Does the Heron hold 4 people, and how heavy is it?", TENTS);
  expect(text).toContain("Heron");
  expect(text).not.toContain("Lark");
});

const BOATS = chunk(
  "boats",
  "| Boat | Weight kg | Price |\n|---|---|---|\n| Lorelei | 102 | £40 |\n| Sisu | 53 | £25.50 |\n| Aino | 14 | £19.25 |",
);

describe("answers from tables", () => {
  test("a row is quoted with its headers, without the other rows", async () => {
    const { answer: text } = await ask("What does the boat Sisu cost?", BOATS);
    expect(text).toContain("Boat: Sisu; Weight kg: 53; Price: £25.50 [[boats]]");
    expect(text).not.toContain("Aino");
  });

  test.each([
    ["Which boat is the heaviest?", ["The highest of 3 rows by Weight kg:", "Lorelei"], ["Aino"]],
    ["Which boat is the cheapest?", ["The lowest of 3 rows by Price:", "Aino"], ["Lorelei"]],
    ["Which boats are heavier than 50 kg?", ["2 of 3 rows by Weight kg:", "Lorelei", "Sisu"], ["Aino"]],
    ["Which boats are lighter than 50000 g?", ["1 of 3 rows by Weight kg:", "Aino"], ["Sisu"]],
    ["How much do Sisu and Aino cost together?", ["Total of Price: £44.75", "Sisu", "Aino"], ["Lorelei"]],
  ])("%s", async (question, expected, others) => {
    const [block = ""] = (await ask(question, BOATS)).answer.split("\n\nThe closest");
    for (const text of expected) expect(block).toContain(text);
    for (const text of others) expect(block.split("\n\n").slice(0, 2).join("\n")).not.toContain(text);
  });

  test("`at most` asks for no largest row", async () => {
    expect((await ask("What does the boat Sisu cost at most?", BOATS)).answer).not.toContain("The highest");
  });
});
