// The parameters of a message as clients really send them, before the SDK checks their form: its messages are dumps of
// its checker.

import { McpFailure } from "./session.ts";
import { oneLine } from "./tools/markdown.ts";

const MAX_SHOWN_CHARACTERS = 60;

/**
 * The message with arguments that the SDK accepts: null counts as absent, and numbers and booleans among the arguments
 * of a prompt become texts. Throws McpFailure `invalid-params` for other forms.
 */
export function readParams(message: object): object {
  if (!("method" in message && "params" in message && isObject(message.params))) return message;
  const { method } = message;
  if (method !== "tools/call" && method !== "prompts/get") return message;
  const { arguments: sent, ...params } = message.params;
  if (sent === undefined || sent === null || sent === "") return { ...message, params };
  if (!isObject(sent)) throw wrong("arguments", sent, 'an object, such as {"name": "value"}');
  return { ...message, params: { ...params, arguments: method === "prompts/get" ? textsOf(sent) : sent } };
}

function textsOf(sent: Record<string, unknown>): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(sent)) {
    if (value === null) continue;
    if (!["string", "number", "boolean"].includes(typeof value)) {
      throw wrong(`arguments.${oneLine(name, MAX_SHOWN_CHARACTERS)}`, value, "a text");
    }
    texts[name] = String(value);
  }
  return texts;
}

const wrong = (path: string, sent: unknown, wanted: string) =>
  new McpFailure(
    "invalid-params",
    `${path}: got ${oneLine(JSON.stringify(sent), MAX_SHOWN_CHARACTERS)}; send ${wanted}`,
  );

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);
