import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { findChangedInteger } from "../../../src/http/json-integers.ts";

describe("numbers that are stored and returned as sent", () => {
  test.each([
    "9007199254740992",
    "-9007199254740992",
    "9007199254740994",
    "1e20",
    "100000000000000000000",
    "1000000000000000000000",
    "1e23",
    "1152921504606847000",
    "88695225387199350000",
    "1.7976931348623157e+308",
    "0.1234567890123456789",
    "123456789012345.678901234567",
    "9007199254740993.5",
    "1.00000000000000000000",
    "0.00000000000000000000",
    "-0",
    // 2^60: exact, and as a double prints it.
    "1152921504606846976",
    "1152921504606847000",
    "5e-324",
    "0e12345678901234567890",
    "0.0000000000000000e999999999",
    "-0.0000000000000000e309999",
    '"9007199254740993"',
    '"\\\\\\"9007199254740993"',
  ])("%s", (value) => {
    expect(findChangedInteger(`{"a":[${value}],"b":12345678901234.5}`)).toBeUndefined();
  });
});

describe("integers that would be changed", () => {
  test.each([
    "9007199254740993",
    "-9007199254740993",
    "9223372036854775807",
    "18446744073709551615",
    "123456789012345678901234567890",
    "9007199254740993.0",
    "9007199254740993e0",
    "90071992547409.93e2",
    "90071992547409930e-1",
  ])("%s", (value) => {
    expect(findChangedInteger(`{"a":${value}}`)).toBe("a");
  });

  test.each([
    ['{"a":1,"b":{"c":[{},[],[1,{"d":N}]]}}', "b.c.2.1.d"],
    ['{"a":[N,N]}', "a.0"],
    ['{"a":[[1,2],"x,]}\\"",N]}', "a.2"],
    ['{ "a" : { "b" : [ 1 , 2 ] } , "c d" :\n N }', "c d"],
    ['{"a\\u0062":N}', "ab"],
    ['{"x":"N","y":{"z":"1,2"},"w":N}', "w"],
  ])("the path of %s", (text, path) => {
    expect(findChangedInteger(text.replaceAll("N", "9007199254740993"))).toBe(path);
  });
});

/** The integer that a double of at least 1 or at most -1 prints. */
function printed(value: number): bigint {
  const [mantissa = "", power = "0"] = String(value).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  return BigInt(whole + fraction) * 10n ** BigInt(Number(power) - fraction.length);
}

const digits = fc.oneof(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }), fc.maxSafeInteger()).map(String);
const double = fc.double({ noNaN: true, noDefaultInfinity: true }).map(String);
const quoted = fc.oneof(fc.string(), digits).map((text) => JSON.stringify(text));
const space = fc.constantFrom("", " ", "\n", "\t ");
const { json } = fc.letrec<{ json: string }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(digits, double, quoted, fc.constantFrom("true", "null")),
    fc
      .tuple(space, fc.array(tie("json"), { maxLength: 4 }))
      .map(([space, items]) => `[${space}${items.join(`${space},`)}${space}]`),
    fc
      .tuple(
        space,
        fc.uniqueArray(fc.tuple(quoted, tie("json")), { maxLength: 4, selector: ([name]) => name }),
      )
      .map(
        ([space, members]) =>
          `{${members.map(([name, value]) => `${name}${space}:${space}${value}`).join(",")}}`,
      ),
  ),
}));

test("any JSON: an integer is found where JSON.parse read one that is neither its double nor what that prints", () => {
  fc.assert(
    fc.property(json, (text) => {
      let isChanged = false;
      JSON.parse(text, (_name, value, context?: { source?: string }) => {
        const source = context?.source ?? "";
        if (typeof value === "number" && /^-?\d+$/.test(source))
          isChanged ||= BigInt(source) !== BigInt(value) && BigInt(source) !== printed(value);
        return value;
      });
      expect(findChangedInteger(text) !== undefined).toBe(isChanged);
    }),
    { numRuns: 3_000 },
  );
});
