// Reads the values of arguments as clients really send them: numbers and booleans as text, lists as JSON text, one text
// for a list, kinds in the singular or plural.

import { parseJsonValue } from "../../http/json-body.ts";
import { ID_PATTERN } from "../../kernel/ids.ts";
import { oneLine } from "./markdown.ts";
import { type ArgumentSchema, ToolFailure } from "./tool.ts";

const TRUE = new Set<unknown>([true, 1, "true", "1", "yes"]);
const FALSE = new Set<unknown>([false, 0, "false", "0", "no"]);
/** The argument of several tools that is a list of tags. */
const TAG_ARGUMENT = "tags";
/** The start of a choice has at least this many characters. */
const MIN_PREFIX = 3;
const MAX_SHOWN_CHARACTERS = 60;

/** The value in the type of its schema. Throws ToolFailure (400) with the argument, what was sent, and an example. */
export function readValue(name: string, schema: ArgumentSchema, sent: unknown): unknown {
  const value = converted(name, schema, sent);
  if (value !== undefined) return value;
  const shown = oneLine(JSON.stringify(sent), MAX_SHOWN_CHARACTERS);
  throw new ToolFailure(400, `${name}: got ${shown}; send ${expected(schema)}`);
}

/** Undefined for a value that cannot be converted. */
function converted(name: string, schema: ArgumentSchema, sent: unknown): unknown {
  switch (schema.type) {
    case "integer":
      return integerOf(only(sent));
    case "boolean":
      return booleanOf(only(sent));
    case "array":
      return schema.items.type === "object" ? objectsOf(sent) : textsOf(sent, name === TAG_ARGUMENT);
    default: {
      const text = textOf(only(sent));
      return text !== undefined && schema.enum ? choiceOf(schema.enum, text) : text;
    }
  }
}

/** The item of a list of one. */
const only = (sent: unknown) => (Array.isArray(sent) && sent.length === 1 ? sent[0] : sent);

function integerOf(sent: unknown): number | undefined {
  const isNumeric = typeof sent === "string" && /^\s*[+-]?\d{1,16}(\.0+)?\s*$/.test(sent);
  const value = isNumeric ? Number(sent) : sent;
  return Number.isSafeInteger(value) ? (value as number) : undefined;
}

function booleanOf(sent: unknown): boolean | undefined {
  const value = typeof sent === "string" ? sent.trim().toLowerCase() : sent;
  if (TRUE.has(value)) return true;
  return FALSE.has(value) ? false : undefined;
}

function textOf(sent: unknown): string | undefined {
  if (typeof sent === "number" || typeof sent === "boolean") return String(sent);
  return typeof sent === "string" ? sent : undefined;
}

/** The choice that was sent: without case, in the singular or plural, or its start. */
function choiceOf(choices: readonly string[], sent: string): string | undefined {
  const typed = sent.trim().toLowerCase();
  const exact = choices.find((choice) => choice === typed);
  if (exact !== undefined) return exact;
  const stem = typed.replace(/s$/, "");
  const starting = choices.filter((choice) => choice.startsWith(stem));
  return stem.length >= MIN_PREFIX && starting.length === 1 ? starting[0] : undefined;
}

/** A list of texts. One text is a list of one; tags and ids, which contain no commas, may be separated by them. */
function textsOf(sent: unknown, areTags: boolean): string[] | undefined {
  const value = typeof sent === "string" ? (parsedList(sent) ?? splitList(sent, areTags)) : sent;
  const items = Array.isArray(value) ? value.map(textOf) : [textOf(value)];
  return items.every((item) => item !== undefined) ? items : undefined;
}

function splitList(text: string, areTags: boolean): string[] {
  const parts = text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  return areTags || parts.every((part) => ID_PATTERN.test(part)) ? parts : [text];
}

/** A list of objects, each of which may be JSON text. One object is a list of one. */
function objectsOf(sent: unknown): object[] | undefined {
  const value = typeof sent === "string" ? parsed(sent) : sent;
  const items = (Array.isArray(value) ? value : [value]).map((item) =>
    typeof item === "string" ? parsed(item) : item,
  );
  const isObject = (item: unknown) => typeof item === "object" && item !== null && !Array.isArray(item);
  return items.every(isObject) ? (items as object[]) : undefined;
}

function parsedList(text: string): unknown[] | undefined {
  const value = text.trimStart().startsWith("[") ? parsed(text) : undefined;
  return Array.isArray(value) ? value : undefined;
}

function parsed(text: string): unknown {
  try {
    return parseJsonValue(Buffer.from(text));
  } catch {
    return undefined;
  }
}

/** What is accepted, with an example. */
function expected(schema: ArgumentSchema): string {
  switch (schema.type) {
    case "integer":
      return "a whole number, such as 10";
    case "boolean":
      return "true or false";
    case "array":
      return schema.items.type === "object"
        ? `a list of objects with ${Object.keys(schema.items.properties).join(", ")}`
        : 'a list of texts, such as ["one", "two"]';
    default:
      return schema.enum ? `one of ${schema.enum.join(", ")}` : 'a text, such as "notes"';
  }
}
