// Bodies that are made in pieces of JSON, so that a large one is neither made in one turn of the event loop nor in
// memory as a whole.

import type { Clock } from "../kernel/clock.ts";

/** In UTF-16 units. */
export const MAX_PART_UNITS = 128 * 1024;
/** How long pieces are made before others have a turn. */
const MAX_PART_MS = 5;

/** Makes the first part of a body. The result is a text if that is all. Throws what making the part throws. */
export function begin(
  pieces: Iterable<string>,
  clock: Clock,
): { text: string; pieces?: never } | { pieces: Iterable<string> } {
  const parts = partsOf(pieces, clock);
  const first = parts.next();
  return first.done ? { text: first.value } : { pieces: allOf(first.value, parts) };
}

/** Joins pieces to parts, each of which is made in one turn. Returns the last one. */
function* partsOf(pieces: Iterable<string>, clock: Clock): Generator<string, string> {
  let part = "";
  let startedAt = clock.monotonic();
  for (const piece of pieces) {
    part += piece;
    if (part.length < MAX_PART_UNITS && clock.monotonic() - startedAt < MAX_PART_MS) continue;
    yield part;
    part = "";
    startedAt = clock.monotonic();
  }
  return part;
}

function* allOf(first: string, rest: Generator<string, string>): Generator<string> {
  yield first;
  yield yield* rest;
}

/**
 * The body `{"data": …}` of one record, which `read` returns. A piece for each member: getters can read large texts.
 */
export function* recordPieces(read: () => object): Generator<string> {
  const data = read();
  let separator = "";
  yield '{"data":{';
  for (const name of Object.keys(data)) {
    const value = (data as Record<string, unknown>)[name];
    if (value === undefined) continue;
    yield `${separator}${JSON.stringify(name)}:${JSON.stringify(value)}`;
    separator = ",";
  }
  yield "}}";
}

/** The body `{"data": {NAME: [ITEM, …], …}}`, a piece for each item. Items are JSON; `more` are further members. */
export function* listPieces(name: string, items: Iterable<string>, more: object = {}): Generator<string> {
  let separator = "";
  yield `{"data":{${JSON.stringify(name)}:[`;
  for (const item of items) {
    yield separator + item;
    separator = ",";
  }
  yield `]${Object.entries(more)
    .map((member) => `,${JSON.stringify(member[0])}:${JSON.stringify(member[1])}`)
    .join("")}}}`;
}
