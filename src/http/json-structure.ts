// Bounds on the structure of JSON, checked on the bytes before they are parsed: parsing millions of values, or brackets
// millions deep, would block the event loop for seconds. Linear in the number of bytes.

import { badRequest } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";

const { depth: maxDepth, values: maxValues } = LIMITS.body;
const code = (character: string) => character.charCodeAt(0);
const [QUOTE, BACKSLASH, COMMA] = [code('"'), code("\\"), code(",")] as const;
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [
  code("{"),
  code("}"),
  code("["),
  code("]"),
] as const;

/** Throws `bad-request` for more values, or deeper nesting, than LIMITS.body allows. Does not check the syntax. */
export function checkStructure(bytes: Uint8Array): void {
  let depth = 0;
  let values = 1;
  for (let at = 0; at < bytes.length; at++) {
    switch (bytes[at]) {
      case QUOTE:
        at = endOfString(bytes, at);
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        values++;
        // The body itself is not a level.
        if (++depth > maxDepth + 1) {
          throw badRequest({ path: "body", message: `is nested deeper than ${maxDepth} levels` });
        }
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        depth--;
        break;
      case COMMA:
        values++;
        break;
    }
    if (values > maxValues) {
      throw badRequest({ path: "body", message: `contains more than ${maxValues} values` });
    }
  }
}

/** The index of the quote that ends the string at `start`, or the end of the bytes. */
function endOfString(bytes: Uint8Array, start: number): number {
  for (let end = bytes.indexOf(QUOTE, start + 1); end >= 0; end = bytes.indexOf(QUOTE, end + 1)) {
    let backslashes = 0;
    while (bytes[end - 1 - backslashes] === BACKSLASH) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return bytes.length;
}
