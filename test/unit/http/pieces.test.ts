// Bodies in pieces: they are the JSON that would be made at once, and no part takes long.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { begin, listPieces, MAX_PART_UNITS, recordPieces } from "../../../src/http/pieces.ts";
import { ManualClock } from "../../../src/kernel/clock.ts";

const clock = new ManualClock();
const textOf = (pieces: Iterable<string>) => [...pieces].join("");

describe("the first part", () => {
  test("is the whole of a short body", () => {
    expect(begin(["a", "b", ""], clock)).toEqual({ text: "ab" });
    expect(begin([], clock)).toEqual({ text: "" });
  });

  test("of a long body is not larger than its size and one piece, and the others are made later", () => {
    let made = 0;
    function* pieces() {
      for (; made < 10; made++) yield "x".repeat(MAX_PART_UNITS / 2);
    }
    const { pieces: parts } = begin(pieces(), clock);
    expect(made).toBe(1);
    expect([...parts!].map(({ length }) => length)).toEqual([...Array(5).fill(MAX_PART_UNITS), 0]);
  });

  test("of a body that takes long ends after some milliseconds", () => {
    function* pieces() {
      for (let piece = 0; piece < 10; piece++) {
        clock.advance(2);
        yield `${piece}`;
      }
    }
    const { pieces: parts } = begin(pieces(), clock);
    expect([...parts!]).toEqual(["012", "345", "678", "9"]);
  });

  test("throws what making it throws", () => {
    const failing = recordPieces(() => {
      throw new Error("not found");
    });
    expect(() => begin(failing, clock)).toThrow("not found");
  });
});

const members = fc.dictionary(
  fc.string({ unit: "binary" }).map((text) => text.toWellFormed()),
  fc.jsonValue(),
);

test("a record is the same JSON as at once, and each member is read when it is needed", () => {
  fc.assert(
    fc.property(members, (data) => {
      expect(textOf(recordPieces(() => data))).toBe(JSON.stringify({ data }));
    }),
  );
  expect(textOf(recordPieces(() => ({ a: undefined, b: 1 })))).toBe('{"data":{"b":1}}');
  let isRead = false;
  const lazy = {
    first: 1,
    get second() {
      isRead = true;
      return 2;
    },
  };
  const pieces = recordPieces(() => lazy);
  pieces.next();
  pieces.next();
  expect(isRead).toBe(false);
  expect(textOf(pieces)).toBe(',"second":2}}');
});

test("a list is the same JSON as at once", () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue()), members, (items, { items: _, ...more }) => {
      const json = items.map((item) => JSON.stringify(item));
      expect(textOf(listPieces("items", json, more))).toBe(JSON.stringify({ data: { items, ...more } }));
    }),
  );
});
