// The schemas of tools under the published rules of the clients that are strictest: OpenAI's structured outputs after
// the conversion that its SDK makes, Gemini's subset of OpenAPI, and Anthropic's tool definitions.

import { describe, expect, test } from "bun:test";
import { TOOLS } from "../../../src/mcp/tools/all.ts";
import { listedTool } from "../../../src/mcp/tools/listing.ts";

type Schema = {
  type: string;
  description?: string;
  enum?: string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: unknown;
};

/** Keywords that all three accept. `additionalProperties` may only be false. */
const KEYWORDS = new Set([
  "type",
  "description",
  "enum",
  "properties",
  "required",
  "items",
  "additionalProperties",
]);
const TYPES = new Set(["string", "integer", "number", "boolean", "array", "object"]);
/** OpenAI: 10 levels, 5,000 properties, 120,000 characters of names and values of enumerations. */
const MAX_DEPTH = 10;
/** Anthropic: names of tools and of properties. Gemini: names of tools. */
const NAME = /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/;

function problemsOf(schema: Schema, path: string, depth = 1): string[] {
  const problems: string[] = [];
  const expected = (isRight: boolean, rule: string) => isRight || problems.push(`${path}: ${rule}`);
  for (const keyword of Object.keys(schema)) expected(KEYWORDS.has(keyword), `keyword ${keyword}`);
  expected(typeof schema.type === "string" && TYPES.has(schema.type), "one type");
  expected(depth <= MAX_DEPTH, "too deep");
  if (schema.enum) {
    expected(schema.type === "string", "only texts are enumerated");
    expected(schema.enum.length > 0 && !schema.enum.includes(""), "no empty value in an enumeration");
  }
  expected(schema.type !== "array" || schema.items !== undefined, "a list has items");
  if (schema.items) problems.push(...problemsOf(schema.items, `${path}[]`, depth + 1));
  if (schema.type === "object") {
    const properties = schema.properties ?? {};
    expected(depth === 1 || Object.keys(properties).length > 0, "an object has properties");
    expected([undefined, false].includes(schema.additionalProperties as undefined), "no other properties");
    for (const name of schema.required ?? [])
      expected(Object.hasOwn(properties, name), `${name} is declared`);
    for (const [name, member] of Object.entries(properties)) {
      expected(NAME.test(name), "the name of a property");
      problems.push(...problemsOf(member, `${path}.${name}`, depth + 1));
    }
  }
  return problems;
}

describe.each(TOOLS.map((tool) => [tool.name, listedTool(tool)] as const))("%s", (name, listed) => {
  test("has a schema that all accept", () => {
    expect(name).toMatch(NAME);
    expect(listed.description.length).toBeLessThan(1_024);
    expect(problemsOf(listed.inputSchema as Schema, name)).toEqual([]);
    if (listed.outputSchema) expect(problemsOf(listed.outputSchema as Schema, name)).toEqual([]);
  });
});

test.each([
  [{ type: "array" }, "a list has items"],
  [{ type: "array", items: { type: "object" } }, "an object has properties"],
  [{ type: "object", properties: {}, additionalProperties: true }, "no other properties"],
  [{ type: "string", pattern: "a" }, "keyword pattern"],
  [{ type: "object", properties: {}, required: ["a"] }, "a is declared"],
])("%j breaks the rule: %s", (schema, rule) => {
  expect(problemsOf(schema as Schema, "x").join()).toContain(rule);
});
