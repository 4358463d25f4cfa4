// Parses the query string instead of the framework: a parameter that is sent twice, a malformed escape, and a number in
// another form than JSON's are errors.

import type { Static, TObject, TSchema } from "@sinclair/typebox";
import { badRequest, type FieldProblem } from "../kernel/errors.ts";
import { checkShape } from "./shape.ts";

/**
 * Splits a query string (without `?`). The values of a repeatable name are joined by commas. Throws `bad-request` for
 * another name sent twice, NUL, or bytes that are not UTF-8.
 */
function splitQuery(raw: string, isRepeatable: (name: string) => boolean): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const pair of raw.split("&")) {
    if (pair === "") continue;
    const at = pair.indexOf("=");
    const name = decode(at < 0 ? pair : pair.slice(0, at));
    const value = decode(at < 0 ? "" : pair.slice(at + 1));
    const before = parameters.get(name);
    if (before !== undefined && !isRepeatable(name))
      throw badRequest({ path: name, message: "is sent twice" });
    if (value.includes("\0")) throw badRequest({ path: name, message: "must not contain NUL" });
    parameters.set(name, before === undefined ? value : `${before},${value}`);
  }
  return parameters;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    throw badRequest({ path: "query", message: "contains a malformed percent escape" });
  }
}

/** Reads the parameters that `schema` names; others are ignored. Fills in defaults. Throws `bad-request`. */
export function readQuery<Schema extends TObject>(schema: Schema, raw: string): Static<Schema> {
  const sent = splitQuery(raw, (name) => schema.properties[name]?.["x-repeatable"] === true);
  const values: Record<string, unknown> = {};
  const problems: FieldProblem[] = [];
  for (const [name, member] of Object.entries(schema.properties)) {
    const text = sent.get(name);
    const value = text === undefined ? undefined : convert(member, text);
    if (value instanceof Error) problems.push({ path: name, message: value.message });
    else if (value !== undefined) values[name] = value;
    else if (member.default !== undefined) values[name] = member.default;
  }
  if (problems.length > 0) throw badRequest(...problems);
  return checkShape(schema, values);
}

const INTEGER = /^-?(0|[1-9]\d{0,14})$/;
/** A number of any length as JSON writes it, such as `1e-7`. */
const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** Whether an empty value counts as absent: only for a text that may be empty, such as an optional filter. */
export function emptyIsAbsent({ type, minLength }: TSchema): boolean {
  return !["integer", "number", "boolean"].includes(type) && minLength === undefined;
}

/** Converts a parameter to its schema's type; undefined if it is empty and counts as absent. */
function convert(schema: TSchema, text: string): unknown {
  switch (schema.type) {
    case "integer":
      return INTEGER.test(text) ? Number(text) : new Error("must be a whole number of at most 15 digits");
    case "number":
      return NUMBER.test(text) ? Number(text) : new Error("must be a number");
    case "boolean":
      return text === "true" ? true : text === "false" ? false : new Error("must be true or false");
    default:
      return text === "" && emptyIsAbsent(schema) ? undefined : text;
  }
}

/** The value of a parameter with two names. Throws `bad-request` if both are sent with different values. */
export function sameParameter(
  names: readonly [string, string],
  first: string | undefined,
  second: string | undefined,
): string | undefined {
  if (first !== undefined && second !== undefined && first !== second) {
    throw badRequest({ path: names[0], message: `differs from ${names[1]}` });
  }
  return first ?? second;
}
