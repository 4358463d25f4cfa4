// Reads the arguments of a call: their names, and which must be sent. Values are read by argument-values.ts; their
// limits are checked by the operation that the tool runs.

import type { OperationCall } from "../calls.ts";
import { readValue } from "./argument-values.ts";
import { oneLine } from "./markdown.ts";
import { type Arguments, type Tool, ToolFailure } from "./tool.ts";

type Declared = Pick<Tool, "name" | "arguments" | "required" | "mayBeEmpty" | "behaviour">;

/** The arguments of a call, and the names of those that the tool does not have. */
interface ReadArguments {
  values: Arguments;
  unknown: string[];
}

const MAX_UNKNOWN = 10;

/**
 * Reads the arguments of a call as clients send them. An argument that is null, or an optional one that is "", counts
 * as absent. Names are compared without case, `_` and `-`. Throws ToolFailure (400) that says what is wrong, what was
 * sent and what is accepted. Only a tool that writes nothing is run despite unknown names, because a misspelt condition
 * must not write.
 */
export function readArguments(tool: Declared, given: unknown = {}): ReadArguments {
  if (typeof given !== "object" || given === null || Array.isArray(given)) {
    throw new ToolFailure(400, "arguments must be an object");
  }
  const read: ReadArguments = { values: {}, unknown: [] };
  for (const [sentName, value] of Object.entries(given)) {
    if (value === null) continue;
    const name = declaredName(tool, sentName);
    if (name === undefined) {
      if (value !== "") read.unknown.push(oneLine(sentName, 100));
      continue;
    }
    const isOptional = !tool.required.includes(name);
    if (value === "" && isOptional && !tool.mayBeEmpty?.includes(name)) continue;
    if (read.values[name] !== undefined) throw new ToolFailure(400, `${name} was sent twice`);
    read.values[name] = readValue(name, tool.arguments[name]!, value);
  }
  if (read.unknown.length > 0 && !tool.behaviour.readOnly) {
    throw new ToolFailure(400, unknownText(tool, read.unknown));
  }
  const missing = tool.required.filter((name) => read.values[name] === undefined);
  if (missing.length > 0) {
    const names = missing.map((name) => `${name} (${tool.arguments[name]!.description})`);
    const sent = read.unknown.length > 0 ? `; ${unknownText(tool, read.unknown)}` : "";
    throw new ToolFailure(400, `${names.join(" and ")} must be sent${sent}`);
  }
  return read;
}

/** Says which arguments a tool does not have, and which ones it has. */
export function unknownText(tool: Declared, unknown: readonly string[]): string {
  const names = unknown.slice(0, MAX_UNKNOWN).map((name) => `"${name}"`);
  const accepted = Object.keys(tool.arguments).join(", ") || "none";
  return `unknown argument ${names.join(", ")}: ${tool.name} accepts ${accepted}`;
}

function declaredName({ arguments: declared }: Declared, sent: string): string | undefined {
  if (Object.hasOwn(declared, sent)) return sent;
  const plain = (name: string) => name.replaceAll(/[_-]/g, "").toLowerCase();
  return Object.keys(declared).find((name) => plain(name) === plain(sent));
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
