// Days and scales of pictures, without a browser.

import { afterAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { linear, ticks, topOf } from "../../../src/console/parts/pictures/scale.ts";
import { partsOf } from "../../../src/console/parts/pictures/score-parts.ts";
import { dayOf, dayStarts, momentsOf, rangeOf } from "../../../src/console/text/days.ts";
import { scoreOf } from "../../../src/retrieval/search/fusion.ts";

describe("days", () => {
  const zone = process.env.TZ;
  process.env.TZ = "Europe/Berlin";
  afterAll(() => {
    process.env.TZ = zone ?? "UTC";
  });

  test("start at midnight in the time zone, also with a clock change", () => {
    expect(dayStarts(3, Date.UTC(2027, 2, 28, 21, 59))).toEqual([
      Date.UTC(2027, 2, 25, 23),
      Date.UTC(2027, 2, 26, 23),
      Date.UTC(2027, 2, 27, 23),
      Date.UTC(2027, 2, 28, 22),
    ]);
    expect(dayOf(Date.UTC(2027, 2, 28, 21, 59))).toBe("2027-03-28");
    expect(dayOf(Date.UTC(2027, 2, 28, 22))).toBe("2027-03-29");
  });

  test("a range contains its last day", () => {
    expect(momentsOf({ first: "2027-03-28", last: "2027-03-28" })).toEqual({
      from: Date.UTC(2027, 2, 27, 23),
      to: Date.UTC(2027, 2, 28, 22),
    });
  });

  test.each([
    ["2027-03-01", "2027-03-05", { first: "2027-03-01", last: "2027-03-05" }],
    ["2027-03-05", "2027-03-01", { first: "2027-03-01", last: "2027-03-05" }],
    ["2027-03-05", "", { first: "2027-03-05", last: "2027-03-05" }],
    ["2027-02-30", "x", undefined],
    ["0000-01-01", "12027-01-01", undefined],
    ["", "", undefined],
  ])("a range from %j to %j", (from, to, expected) => {
    expect(rangeOf(from, to)).toEqual(expected);
  });
});

describe("scales", () => {
  test.each([
    [1, [1]],
    [2, [1, 2]],
    [7, [2, 4, 6]],
    [31, [10, 20, 30]],
    [211, [100, 200]],
    [1_500, [500, 1_000, 1_500]],
  ])("the lines up to %d", (most, expected) => expect(ticks(most)).toEqual(expected));

  test("there are one to three lines, none above the highest bar", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e9 }), (most) => {
        const lines = ticks(most);
        expect(lines.length).toBeWithin(1, 4);
        expect(lines.at(-1)!).toBeLessThanOrEqual(most);
      }),
    );
  });

  test("one bar that is far higher than the others is cut off", () => {
    const usual = Array.from({ length: 40 }, (_, day) => day % 10);
    expect(topOf(usual)).toBe(9);
    expect(topOf([...usual, 20])).toBe(20);
    expect(topOf([...usual, 1_000])).toBe(13.5);
    expect(topOf([0, 5])).toBe(5);
    expect(topOf([])).toBe(1);
  });

  test("values without extent are at the start", () => {
    expect(linear([3, 3], [10, 90])(3)).toBe(10);
    expect(linear([0, 4], [90, 10])(1)).toBe(70);
  });
});

describe("the parts of a score", () => {
  const fraction = fc.double({ min: 0, max: 1, noNaN: true });
  const parts = fc.record({
    dense: fraction,
    lexical: fraction,
    exact: fc.constantFrom(0, 0.35, 0.55),
    neighbours: fc.double({ min: 0, max: 0.3, noNaN: true }),
    denseWeight: fraction,
  });

  test("add up to it", () => {
    fc.assert(
      fc.property(parts, (explained) => {
        const score = scoreOf(explained);
        const points = partsOf(score, explained).map((part) => part.points);
        expect(points.every((one) => one > 0)).toBe(true);
        expect(points.reduce((sum, one) => sum + one, 0)).toBeCloseTo(score, 9);
      }),
    );
  });

  test("have the proportions of the sum", () => {
    const explained = { dense: 0.5, lexical: 0.25, exact: 0.5, neighbours: 0.1, denseWeight: 0.6 };
    expect(partsOf(0.9, explained)).toEqual([
      { part: "meaning", points: expect.closeTo((0.9 * 0.15) / 0.75) },
      { part: "words", points: expect.closeTo((0.9 * 0.05) / 0.75) },
      { part: "exact", points: expect.closeTo((0.9 * 0.5) / 0.75) },
      { part: "neighbours", points: expect.closeTo((0.9 * 0.05) / 0.75) },
    ]);
  });

  test("of a prompt, of which only the cosine is known, are its meaning", () => {
    expect(partsOf(0.7, { cosine: 0.6 })).toEqual([{ part: "meaning", points: 0.7 }]);
  });
});
