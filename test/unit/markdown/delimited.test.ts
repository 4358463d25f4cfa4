// Which lines are a table of values between delimiters.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { delimitedIn } from "../../../src/engine/markdown/delimited.ts";

test.each([
  ["id;name;price\n12;Vice;45.00", ["id", "name", "price"], [["12", "Vice", "45.00"]]],
  ["code\tstop\ttime\r\n12\tSquare\t7:15", ["code", "stop", "time"], [["12", "Square", "7:15"]]],
  [
    'name,note,qty\nVice,"red, ""old""",3\nSaw,,1',
    ["name", "note", "qty"],
    [
      ["Vice", 'red, "old"', "3"],
      ["Saw", "", "1"],
    ],
  ],
  // The rows behind the first piece of a long table.
  [
    "13;Saw;2\n14;Drill;1",
    [],
    [
      ["13", "Saw", "2"],
      ["14", "Drill", "1"],
    ],
  ],
])("%j has the headers %j and the rows %j", (text, headers, rows) =>
  expect(delimitedIn(text)).toEqual({ headers, rows }),
);

test.each([
  ["one line", "id;name;price"],
  ["prose", "Bring milk, flour, eggs\nand sugar, salt, butter"],
  ["amounts", "Revenue 1,200,300 euros\nCosts 4,500,600 euros"],
  ["amounts in prose", "Revenue 1,200,300 euros, net\nCosts 4,500,600 euros, gross"],
  ["two columns", "name,price\nVice,45"],
  ["lines of different lengths", "id;name;price\n12;Vice"],
  ["a line without the delimiter", "id;name;price\n12;Vice;45\nThat is all."],
  ["a list of sentences", "Open at 9; closed at 5; lunch at 12\nRing twice; wait; enter"],
])("%s is no table", (_what, text) => expect(delimitedIn(text)).toBeUndefined());

test("any cells, written as RFC 4180 says, are read back", () => {
  const table = fc.constantFrom(",", ";", "\t").chain((delimiter) => {
    const cell = fc.string({ unit: fc.constantFrom("a", "1", "é", "'", '"', delimiter) });
    // White space around a value is not part of it.
    const trimmed = cell.map((text) => text.trim());
    const row = fc.array(trimmed, { minLength: 4, maxLength: 4 });
    return fc.record({
      delimiter: fc.constant(delimiter),
      rows: fc.array(row, { minLength: 2, maxLength: 5 }),
    });
  });
  fc.assert(
    fc.property(table, ({ delimiter, rows }) => {
      const write = (value: string) =>
        value.includes('"') || value.includes(delimiter) ? `"${value.replaceAll('"', '""')}"` : value;
      const found = delimitedIn(rows.map((cells) => cells.map(write).join(delimiter)).join("\n"));
      // An empty row has nothing but delimiters; with tabs it is an empty line.
      const written = rows.filter((cells) => delimiter !== "\t" || cells.some((cell) => cell !== ""));
      if (written.length < 2) return;
      expect(found && [...(found.headers.length > 0 ? [found.headers] : []), ...found.rows]).toEqual(written);
    }),
    { numRuns: 2_000 },
  );
});
