// Merges two changes of the same record: what only one side has changed is taken, and what both have changed in
// different ways remains to be decided.

import { diff3Merge } from "node-diff3";
import { parseObject } from "./json.ts";

/** How the values of a field are merged: line by line, as a list separated by commas, by member, or as a whole. */
export type MergedBy = "lines" | "list" | "members" | "whole";

/** A place that both sides have changed. */
export interface Clash {
  base: string;
  mine: string;
  theirs: string;
}

/** A field in pieces: texts that are decided, and clashes. Their joined texts are the field. */
export type Piece = string | Clash;

/** More lines that differ take too long to be compared; they are one clash. */
const MAX_LINES = 5_000;

interface Sides {
  base: string;
  mine: string;
  theirs: string;
}

/** The pieces of one field. */
export function mergeField(sides: Sides, by: MergedBy): Piece[] {
  const { base, mine, theirs } = sides;
  if (mine === theirs || theirs === base) return [mine];
  if (mine === base) return [theirs];
  if (by === "lines") return mergeLines(sides);
  if (by === "list") return [mergeList(sides)];
  if (by === "members") return [mergeMembers(sides) ?? sides];
  return [sides];
}

/** Lines with their ends, so that a text without an end of the last line stays without. */
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

function mergeLines(sides: Sides): Piece[] {
  const [base, mine, theirs] = [linesOf(sides.base), linesOf(sides.mine), linesOf(sides.theirs)];
  const shortest = Math.min(base.length, mine.length, theirs.length);
  const isShared = (at: number) => base.at(at) === mine.at(at) && base.at(at) === theirs.at(at);
  let head = 0;
  while (head < shortest && isShared(head)) head++;
  let tail = 0;
  while (tail < shortest - head && isShared(-1 - tail)) tail++;
  const middle = (lines: string[]) => lines.slice(head, lines.length - tail);
  const [a, o, b] = [middle(mine), middle(base), middle(theirs)];
  const start = base.slice(0, head).join("");
  const end = base.slice(base.length - tail).join("");
  if (Math.max(a.length, o.length, b.length) > MAX_LINES) {
    return joined([start, { base: o.join(""), mine: a.join(""), theirs: b.join("") }, end]);
  }
  const regions: { ok?: string[]; conflict?: { a: string[]; o: string[]; b: string[] } }[] = diff3Merge(
    a,
    o,
    b,
    {
      excludeFalseConflicts: true,
    },
  );
  return joined([
    start,
    ...regions.map(
      ({ ok, conflict }): Piece =>
        conflict
          ? { base: conflict.o.join(""), mine: conflict.a.join(""), theirs: conflict.b.join("") }
          : (ok ?? []).join(""),
    ),
    end,
  ]);
}

/** Neighbouring texts as one. */
function joined(pieces: readonly Piece[]): Piece[] {
  const result: Piece[] = [];
  for (const piece of pieces) {
    const last = result.at(-1);
    if (typeof piece === "string" && typeof last === "string") result[result.length - 1] = last + piece;
    else if (piece !== "") result.push(piece);
  }
  return result.length === 0 ? [""] : result;
}

/** What either side has added, without what either side has removed. */
function mergeList({ base, mine, theirs }: Sides): string {
  const [before, own, other] = [base, mine, theirs].map(
    (text) => new Set(text.split(",").map((tag) => tag.trim())),
  );
  const kept = [...own!].filter((tag) => other!.has(tag) || !before!.has(tag));
  const added = [...other!].filter((tag) => !before!.has(tag) && !own!.has(tag));
  return [...kept, ...added].filter((tag) => tag !== "").join(", ");
}

/** The members of two JSON objects; undefined if one is no object or both have changed the same member. */
function mergeMembers({ base, mine, theirs }: Sides): string | undefined {
  const [before, own, other] = [base, mine, theirs].map(membersOf);
  if (!before || !own || !other) return undefined;
  const merged: [string, unknown][] = [];
  for (const name of new Set([...own.keys(), ...other.keys()])) {
    const [was, is, became] = [before, own, other].map((members) => JSON.stringify(members.get(name)));
    if (is !== became && is !== was && became !== was) return undefined;
    const chosen = is === was ? other : own;
    if (chosen.has(name)) merged.push([name, chosen.get(name)]);
  }
  return JSON.stringify(Object.fromEntries(merged), null, 2);
}

function membersOf(text: string): Map<string, unknown> | undefined {
  const object = parseObject(text);
  return object && new Map(Object.entries(object));
}
