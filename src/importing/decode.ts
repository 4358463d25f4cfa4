// The text of a file. Must run in a browser, too.

import { Failure } from "../kernel/errors.ts";

/** UTF-8 without its byte order mark. Throws a Failure if it is something else. */
export function decodeText(bytes: Uint8Array | ArrayBuffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    throw new Failure("unprocessable", "is not UTF-8 text", { cause: error });
  }
}
