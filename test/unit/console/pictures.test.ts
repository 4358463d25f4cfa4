// Days and scales of pictures, without a browser.

import { afterAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { isInside, nearest, type Place } from "../../../src/console/parts/pictures/lasso.ts";
import { linear, ticks, topOf } from "../../../src/console/parts/pictures/scale.ts";
import { partsOf } from "../../../src/console/parts/pictures/score-parts.ts";
import { calendarTicks, dayOf, dayStarts, momentsOf, rangeOf } from "../../../src/console/text/days.ts";
import { advance, type Progress, rateOf, timeLeft } from "../../../src/console/text/progress.ts";
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

describe("dates on an axis", () => {
  const ticks = (from: string, to: string, count: number) =>
    calendarTicks(Date.parse(from), Date.parse(to), count).map(({ at }) => dayOf(at));

  test.each([
    [
      "days",
      "2027-03-26T12:00Z",
      "2027-03-30T12:00Z",
      5,
      ["2027-03-27", "2027-03-28", "2027-03-29", "2027-03-30"],
    ],
    [
      "Mondays",
      "2027-03-03T12:00Z",
      "2027-03-30T12:00Z",
      5,
      ["2027-03-08", "2027-03-15", "2027-03-22", "2027-03-29"],
    ],
    ["months", "2026-12-15T12:00Z", "2027-03-30T12:00Z", 4, ["2027-01-01", "2027-02-01", "2027-03-01"]],
    [
      "years",
      "2023-05-15T12:00Z",
      "2027-03-30T12:00Z",
      4,
      ["2024-01-01", "2025-01-01", "2026-01-01", "2027-01-01"],
    ],
    ["nothing", "2027-03-03T12:00Z", "2027-03-03T12:00Z", 4, []],
  ])("are %s", (_name, from, to, count, expected) => {
    expect(ticks(from, to, count)).toEqual(expected);
  });

  test("are times within a day", () => {
    const at = Date.parse("2027-03-03T12:00Z");
    expect(calendarTicks(at, at + 3_600_000, 4).map((tick) => tick.at)).toEqual([at, at + 3_600_000]);
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

describe("a line around points", () => {
  /** The shape of a U. */
  const LINE: Place[] = [
    [0, 0],
    [9, 0],
    [9, 9],
    [6, 9],
    [6, 3],
    [3, 3],
    [3, 9],
    [0, 9],
  ];

  test.each<[Place, boolean]>([
    [[1, 8], true],
    [[8, 8], true],
    [[4.5, 1], true],
    [[4.5, 8], false],
    [[-1, 5], false],
    [[10, 5], false],
  ])("%j is inside: %s", (place, expected) => expect(isInside(LINE, place)).toBe(expected));

  test("an empty line contains nothing", () => expect(isInside([], [0, 0])).toBe(false));

  test("the nearest point within reach", () => {
    expect(nearest(LINE, [8, 1], 2)).toBe(1);
    expect(nearest(LINE, [4.5, 6], 1)).toBeUndefined();
    expect(nearest([], [0, 0], 5)).toBeUndefined();
  });
});

describe("progress", () => {
  /** Of what was left at seconds. */
  const of = (...left: [seconds: number, left: number][]) =>
    left.reduce<Progress | undefined>(
      (before, [at, rest]) => advance(before, { at: 1_000 * at, left: rest }),
      undefined,
    );

  test("counts what was done and what was added", () => {
    expect(of([0, 10], [5, 6])).toMatchObject({ done: 4, total: 10 });
    expect(of([0, 10], [5, 6], [6, 26], [9, 20])).toMatchObject({ done: 10, total: 30 });
  });

  test("begins again after nothing was left", () => {
    expect(of([0, 10], [5, 0])).toBeUndefined();
    expect(of([0, 10], [5, 0], [6, 3])).toMatchObject({ done: 0, total: 3 });
  });

  test("has the rate of the last minute, which what is added does not change", () => {
    expect(rateOf(of([0, 100], [10, 80])!)).toBe(2);
    expect(rateOf(of([0, 100], [10, 80], [11, 500], [20, 480])!)).toBe(2);
    expect(rateOf(of([0, 1_000], [50, 900], [100, 600])!)).toBe(6);
  });

  test("has no rate before something was done in some time", () => {
    expect(rateOf(of([0, 100])!)).toBeUndefined();
    expect(rateOf(of([0, 100], [1, 50])!)).toBeUndefined();
    expect(rateOf(of([0, 100], [30, 99])!)).toBeUndefined();
    expect(rateOf(of([0, 100], [90, 50])!)).toBeUndefined();
  });

  test("keeps few samples", () => {
    const many = Array.from({ length: 500 }, (_, at): [number, number] => [at / 100, 1_000 - at]);
    expect(of(...many)!.samples).toHaveLength(60);
  });

  test.each([
    [3, "a few seconds left"],
    [31, "about 40 seconds left"],
    [61, "about a minute left"],
    [250, "about 4 minutes left"],
    [7_300, "about 2 hours left"],
  ])("%d seconds: %s", (seconds, expected) => expect(timeLeft(seconds)).toBe(expected));
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
