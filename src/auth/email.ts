// What counts as an e-mail address of a user. It is a name: nothing is ever sent to it.

import { LIMITS } from "../kernel/limits.ts";
import { utf8Length, normalized } from "../kernel/text.ts";

/** One `@` between characters that are visible: no spaces, controls, overrides of the direction or lone surrogates. */
const ADDRESS = /^[^@\p{C}\p{Z}]+@[^@\p{C}\p{Z}]+$/u;

/**
 * Whether a text is an address that a user may have. Characters with another canonical form are rejected, because two
 * texts that look alike must not be two users, and no text may become another address in lower case, such as `K` (the
 * Kelvin sign).
 */
export function isEmail(text: string): boolean {
  return (
    text.length <= LIMITS.email.bytes &&
    utf8Length(text) <= LIMITS.email.bytes &&
    ADDRESS.test(text) &&
    normalized(text, "NFKC") === text
  );
}
