// Parses JSON in UTF-8 without coercion, and rejects what could not be stored and returned as it was sent.

import { badRequest } from "../kernel/errors.ts";
import { findChangedInteger } from "./json-integers.ts";
import { checkStructure, type FieldSizes } from "./json-structure.ts";

/** Parses a body that must be a JSON object. Throws `bad-request` naming the path of what cannot be stored as sent. */
export function parseJson(bytes: Uint8Array, sizes?: FieldSizes): Record<string, unknown> {
  const value = parseJsonValue(bytes, sizes);
  if (Array.isArray(value)) throw notAnObject();
  return value as Record<string, unknown>;
}

const notAnObject = () => badRequest({ path: "body", message: "must be a JSON object" });

/** Parses a JSON object or array, with the same checks. */
export function parseJsonValue(bytes: Uint8Array, sizes?: FieldSizes): object {
  checkStructure(bytes, sizes);
  let text: string;
  let value: unknown;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    value = JSON.parse(text);
  } catch {
    throw badRequest({ path: "body", message: "is not valid JSON in UTF-8" });
  }
  if (typeof value !== "object" || value === null) throw notAnObject();
  checkValues(value);
  const path = findChangedInteger(text);
  if (path !== undefined) {
    throw badRequest({ path, message: "is an integer that cannot be represented exactly" });
  }
  return value;
}

/** Rejects lone surrogates and infinite numbers. */
function checkValues(root: object): void {
  // The names that lead to the value being checked.
  const path: (string | number)[] = [];
  const problem = (message: string) => badRequest({ path: path.join(".") || "body", message });
  const checkMember = (name: string | number, member: unknown) => {
    path.push(name);
    if (typeof member === "string") {
      if (!member.isWellFormed()) throw problem("contains a lone surrogate");
    } else if (typeof member === "number") {
      if (!Number.isFinite(member)) throw problem("is not a finite number");
    } else if (typeof member === "object" && member !== null) checkMembers(member);
    path.pop();
  };
  const checkMembers = (value: object) => {
    // By index: Object.entries is slow for large arrays.
    if (Array.isArray(value)) {
      for (let index = 0; index < value.length; index++) checkMember(index, value[index]);
      return;
    }
    for (const name in value) {
      if (!name.isWellFormed()) throw problem("contains a lone surrogate in a name");
      checkMember(name, (value as Record<string, unknown>)[name]);
    }
  };
  checkMembers(root);
}
