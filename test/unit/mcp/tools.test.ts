// The list of tools: it matches the operations of the API, is strict and annotated, and stays small.

import { describe, expect, test } from "bun:test";
import type { TObject, TSchema } from "@sinclair/typebox";
import { selectTools, TOOLS } from "../../../src/mcp/tools/all.ts";
import { listedTool } from "../../../src/mcp/tools/listing.ts";
import { OPERATIONS } from "../../../src/operations.ts";

/** Arguments that no operation has: they choose the format of the result, or what the tool does before and after. */
const OWN_ARGUMENTS = new Set([
  "response_format",
  "offset",
  "maxTokens",
  "lease",
  "seconds",
  "text",
  "heading",
  "since",
  "oldText",
  "newText",
  "new",
]);
/** Arguments whose name in the operation is another one, or that another operation of the tool has. */
const RENAMED: Readonly<Record<string, string>> = {
  "find_items query": "q",
  "search_prompts search": "q",
  "create_prompt engine": "parameters",
};
const ELSEWHERE = new Set(["get_collection includeItems", "get_collection limit", "get_collection cursor"]);
/** The ids in paths. */
const PATH_IDS = new Set(["documentId", "promptId", "collectionId", "chunkId"]);

const operationOf = (name: string) => OPERATIONS.find((operation) => operation.name === name)!;

test("every tool corresponds to an operation, and names are unique", () => {
  expect(TOOLS.filter(({ operation }) => !operationOf(operation))).toEqual([]);
  expect(new Set(TOOLS.map(({ name }) => name)).size).toBe(32);
});

describe.each(TOOLS.map((tool) => [tool.name, tool] as const))("%s", (name, tool) => {
  const operation = operationOf(tool.operation);
  const fields = (operation.body ?? operation.query ?? { properties: {} }) as TObject;

  test("has a title, hints, and a description of itself and of each argument", () => {
    const { annotations, description, title } = listedTool(tool);
    const hints = ["openWorldHint", "readOnlyHint"];
    if (!tool.behaviour.readOnly) hints.unshift("destructiveHint", "idempotentHint");
    expect(Object.keys(annotations).sort()).toEqual(hints.sort());
    expect(title).not.toBe("");
    const undescribed = Object.entries(tool.arguments).filter(([, { description }]) => !description);
    expect(undescribed).toEqual([]);
    expect(description).toMatch(/\.$/);
  });

  test("has arguments of the operation, of the same type", () => {
    const unknown = Object.entries(tool.arguments).filter(([argument, schema]) => {
      const isPathId = operation.path.includes(":id") && PATH_IDS.has(argument);
      if (OWN_ARGUMENTS.has(argument) || isPathId || ELSEWHERE.has(`${name} ${argument}`)) return false;
      const field = fields.properties[RENAMED[`${name} ${argument}`] ?? argument];
      return !field || !isSameType(schema.type, field, argument);
    });
    expect(unknown).toEqual([]);
  });

  test("requires what the operation requires", () => {
    const required = (fields.required ?? []).filter(
      (field) => fields.properties[field]?.default === undefined,
    );
    const missing = required.filter((field) => !tool.required.includes(field));
    expect(missing).toEqual([]);
    if (operation.path.includes(":id")) expect(PATH_IDS.has(tool.required[0]!)).toBe(true);
  });

  test("is read-only exactly if the operation changes nothing", () => {
    const readsByPost = ["pd.search", "pd.expand", "reason.answer"].includes(operation.name);
    expect(tool.behaviour.readOnly === true).toBe(operation.method === "GET" || readsByPost);
    if (operation.method === "DELETE") expect(tool.behaviour.destructive).toBe(true);
  });
});

/** Enumerations are unions of constants. Tags are a list here, and text with commas in a query. */
function isSameType(type: string, field: TSchema, argument: string): boolean {
  if (argument === "tags" && field.type === "string") return type === "array";
  if (argument === "engine") return type === "string";
  if (field.anyOf) return (field.anyOf as TSchema[]).some((member) => isSameType(type, member, argument));
  if (type === "integer") return field.type === "integer" || field.type === "number";
  return field.type === type;
}

test.each([
  ["core", 1_800],
  ["all", 4_200],
])("what a model reads of the set %s costs at most %d tokens of 4 characters", (tools, most) => {
  const read = selectTools({ tools, isReadOnly: false }).map((tool) => {
    const { name, description, inputSchema } = listedTool(tool);
    return { name, description, inputSchema };
  });
  expect(JSON.stringify(read).length / 4).toBeLessThan(most);
});

test.each(["", " ", "nope", "core,nope", "ALL"])("the selection %j is rejected", (tools) => {
  expect(() => selectTools({ tools, isReadOnly: false })).toThrow("unknown tool");
});
