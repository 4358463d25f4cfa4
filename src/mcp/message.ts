// Parses messages of clients, before the SDK sees them: the SDK returns ids and problems with parameters as they were
// sent, so what it may return is bounded here. It runs in a worker for large messages.

import { parseJsonValue } from "../http/json-body.ts";
import { problemOf } from "../http/parse-body.ts";
import type { ParsedMessage } from "../http/read-body.ts";
import { badRequest } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";

const { nameCharacters, values: maxValues, textCharacters, argumentCharacters } = LIMITS.message;
const NAME: Bounds = { values: maxValues, characters: nameCharacters };
const PARAMETERS: Bounds = { values: maxValues, characters: textCharacters };
const ARGUMENTS: Bounds = { values: LIMITS.body.values, characters: argumentCharacters };

/** Parses a message, or a list of them. Never throws for what it contains. */
export function parseMessage(bytes: Uint8Array): ParsedMessage {
  try {
    const value = parseJsonValue(bytes);
    for (const message of Array.isArray(value) ? value : [value]) checkMessage(message);
    return { value };
  } catch (error) {
    return { problem: problemOf(error) };
  }
}

/**
 * Throws `bad-request` or `too-large` for texts that are too long or too many. The form of the message is not checked.
 */
function checkMessage(message: unknown): void {
  const { params, ...others } = isObject(message) ? message : {};
  for (const [name, value] of Object.entries(others)) checkTexts(name, value, NAME);
  // The SDK lists every wrong argument of a prompt. Those of tools are checked here, and only the first one is
  // reported.
  const bounds = others.method === "tools/call" ? ARGUMENTS : { ...ARGUMENTS, values: maxValues };
  const { arguments: given, ...parameters } = isObject(params) ? params : { params };
  checkTexts("params", parameters, PARAMETERS);
  checkTexts("params.arguments", given, bounds);
}

interface Bounds {
  values: number;
  characters: number;
}

function checkTexts(path: string, root: unknown, { values, characters }: Bounds): void {
  let count = 0;
  const check = (value: unknown) => {
    if (++count > values) throw badRequest({ path, message: `contains more than ${values} values` });
    if (typeof value === "string" && value.length > characters)
      throw badRequest({ path, message: `contains a text of more than ${characters} characters` });
    if (typeof value !== "object" || value === null) return;
    for (const [name, member] of Object.entries(value)) {
      if (!Array.isArray(value)) check(name);
      check(member);
    }
  };
  check(root);
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
