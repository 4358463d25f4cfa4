// Bounds on the structure of JSON, checked on the bytes before they are parsed: parsing and comparing many values or
// names, or brackets millions deep, takes seconds. Linear in the number of bytes.

import { badRequest, type Failure } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";

/** How large a member of the body may be as it was sent, in bytes, and the failure for a larger one. */
export interface FieldSize {
  sentBytes: number;
  failure(): Failure;
}

/** The members of a body whose size is checked, by name. */
export type FieldSizes = ReadonlyMap<string, FieldSize>;

const NO_SIZES: FieldSizes = new Map();
const { depth: maxDepth, values: maxValues, members: maxMembers } = LIMITS.body;
/** The names in field sizes are shorter, with quotes. */
const MAX_NAME_BYTES = 64;

const code = (character: string) => character.charCodeAt(0);
const [QUOTE, BACKSLASH, COMMA, COLON] = [code('"'), code("\\"), code(","), code(":")] as const;
const [OPEN_BRACE, CLOSE_BRACE, OPEN_BRACKET, CLOSE_BRACKET] = [
  code("{"),
  code("}"),
  code("["),
  code("]"),
] as const;

const bodyProblem = (message: string) => badRequest({ path: "body", message });

/**
 * Throws `bad-request` for more values, more members or deeper nesting than LIMITS.body allows, and the failure of a
 * field that is larger than its size. Does not check the syntax.
 */
export function checkStructure(bytes: Uint8Array, sizes: FieldSizes = NO_SIZES): void {
  let depth = 0;
  let values = 1;
  let members = 0;
  // The last string outside of all fields, and the field that is being read: undefined for one without a size.
  let name: [start: number, end: number] = [0, 0];
  let field: FieldSize | undefined;
  let fieldStart = 0;
  const countValue = () => {
    if (++values > maxValues) throw bodyProblem(`contains more than ${maxValues} values`);
  };
  const checkField = (end: number) => {
    if (field && end - fieldStart > field.sentBytes) throw field.failure();
    field = undefined;
  };
  for (let at = 0; at < bytes.length; at++) {
    switch (bytes[at]) {
      case QUOTE: {
        const end = endOfString(bytes, at);
        if (depth === 1 && !field) name = [at + 1, end];
        at = end;
        break;
      }
      case COLON:
        if (++members > maxMembers) throw bodyProblem(`contains more than ${maxMembers} names of members`);
        if (depth === 1) {
          field = sizeOf(sizes, bytes, name);
          fieldStart = at + 1;
        }
        break;
      case OPEN_BRACE:
      case OPEN_BRACKET:
        countValue();
        // The body itself is not a level.
        if (++depth > maxDepth + 1) throw bodyProblem(`is nested deeper than ${maxDepth} levels`);
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        if (depth === 1) checkField(at);
        depth--;
        break;
      case COMMA:
        countValue();
        if (depth === 1) checkField(at);
        break;
    }
  }
  checkField(bytes.length);
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

function sizeOf(sizes: FieldSizes, bytes: Uint8Array, [start, end]: [number, number]): FieldSize | undefined {
  if (sizes.size === 0 || end - start > MAX_NAME_BYTES) return undefined;
  return sizes.get(Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString("latin1"));
}
