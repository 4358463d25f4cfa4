// Checks the names and JSON types of a tool's arguments. Values are checked by the operation that the tool runs.

import { parseJsonValue } from "../../http/json-body.ts";
import type { OperationCall } from "../calls.ts";
import { type Arguments, type ArgumentSchema, type Tool, ToolFailure } from "./tool.ts";

type Declared = Pick<Tool, "name" | "arguments" | "required">;

/**
 * The arguments of a call. A list or object that was sent as JSON text is parsed: some clients send nothing else. An
 * argument that is null counts as absent. Throws ToolFailure (400) naming what is wrong and what is accepted.
 */
export function readArguments(tool: Declared, given: unknown = {}): Arguments {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw new ToolFailure(400, "arguments must be an object");
  }
  const names = Object.keys(tool.arguments);
  const read: Arguments = {};
  for (const [name, value] of Object.entries(given)) {
    const schema = Object.hasOwn(tool.arguments, name) ? tool.arguments[name] : undefined;
    if (!schema) {
      throw new ToolFailure(
        400,
        `unknown argument "${name.slice(0, 100)}": ${tool.name} accepts ${names.join(", ") || "none"}`,
      );
    }
    if (value !== null) read[name] = readValue(name, schema, value);
  }
  const missing = tool.required.filter((name) => read[name] === undefined);
  if (missing.length > 0) throw new ToolFailure(400, `${missing.join(" and ")} must be sent`);
  return read;
}

function readValue(name: string, schema: ArgumentSchema, sent: unknown): unknown {
  const isStructure = schema.type === "array" || schema.type === "object";
  const value = isStructure && typeof sent === "string" ? parsed(sent) : sent;
  if (!hasType(schema, value)) throw new ToolFailure(400, `${name} must be ${expected(schema)}`);
  if (schema.enum && !schema.enum.includes(value as string)) {
    throw new ToolFailure(400, `${name} must be one of ${schema.enum.join(", ")}`);
  }
  return value;
}

function parsed(text: string): unknown {
  try {
    return parseJsonValue(Buffer.from(text));
  } catch {
    return undefined;
  }
}

function hasType({ type, items }: ArgumentSchema, value: unknown): boolean {
  switch (type) {
    case "integer":
      return Number.isSafeInteger(value);
    case "array":
      return (
        Array.isArray(value) && (items?.type !== "string" || value.every((item) => typeof item === "string"))
      );
    case "object":
      return typeof value === "object" && value !== null && !Array.isArray(value);
    default:
      return typeof value === type;
  }
}

function expected({ type, items }: ArgumentSchema): string {
  if (type === "array") return items?.type === "string" ? "a list of strings" : "a list of objects";
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`;
}

interface Sent {
  tool: Declared;
  request: OperationCall;
  given: Arguments;
}

/** The name by which an agent knows a field of an operation: that of the argument whose value was sent in it. */
export function argumentFor(path: string, { tool, request, given }: Sent): string {
  if (Object.hasOwn(tool.arguments, path)) return path;
  const value = path === "id" ? request.id : request.query?.[path];
  const name = Object.keys(given).find((candidate) => given[candidate] === value);
  return value === undefined ? path : (name ?? path);
}
