// Decides what happens to a record that exists on both sides: which fields are written where, and which clash. Pure.

import { type MergedBy, mergeField } from "../kernel/merge.ts";
import { FIELDS, type Fields, isSame, isStored, type Kind, type StoredFields, stored } from "./records.ts";

/** `push` writes there, `pull` writes here, `sync` writes on both sides. */
export type Direction = "push" | "pull" | "sync";

/** Which side wins where both have changed the same; undefined leaves both as they are. */
export type Preference = "ours" | "theirs" | undefined;

export interface Pair {
  kind: Kind;
  own: Fields;
  other: Fields;
  /** The fields when both were last equal; undefined if they never were. */
  base: StoredFields | undefined;
  /** The texts of then that `base` has only as digests, as far as they were found. */
  baseTexts?: Fields;
}

export interface Plan {
  /** The fields to write here and there; empty if nothing changes. */
  own: Fields;
  other: Fields;
  /** What is stored as the last common state once both are written. */
  base: StoredFields;
  /** The fields that were changed in different ways on both sides. If there are any, nothing is written. */
  clashes: string[];
  /** Changes that the direction leaves alone: they are looked at again in the next run. */
  leavesOwn: boolean;
  leavesOther: boolean;
}

/** The fields that both sides have changed in different ways, and whose earlier texts are needed to merge them. */
export function fieldsToMerge({ kind, own, other, base }: Pair): string[] {
  return Object.keys(FIELDS[kind]).filter(
    (field) =>
      own[field] !== undefined &&
      other[field] !== undefined &&
      stateOf(field, { own, other, base }) === "both",
  );
}

type FieldState = "same" | "own" | "other" | "both" | "neither";

function stateOf(field: string, { own, other, base }: Pick<Pair, "own" | "other" | "base">): FieldState {
  if (isSame(field, own[field], other[field])) return "same";
  const ownChanged = !isStored(field, base?.[field], own[field]);
  const otherChanged = !isStored(field, base?.[field], other[field]);
  if (ownChanged && otherChanged) return "both";
  return ownChanged ? "own" : otherChanged ? "other" : "neither";
}

/** Plans one record. Where the direction or a clash forbids a change, both sides stay as they are. */
export function planPair(pair: Pair, direction: Direction, prefer: Preference): Plan {
  const merged: Fields = {};
  const clashes: string[] = [];
  for (const [field, by] of Object.entries(FIELDS[pair.kind])) {
    const [own, other] = [pair.own[field], pair.other[field]];
    if (own === undefined || other === undefined) continue;
    const state = stateOf(field, pair);
    if (state === "same" || state === "own") merged[field] = own;
    else if (state === "other") merged[field] = other;
    else if (state === "both") {
      const value = mergeValues({ field, by, prefer }, pair);
      if (value === CLASH) clashes.push(field);
      else merged[field] = value;
    }
  }
  const oldBase = pair.base ?? {};
  if (clashes.length > 0) {
    return { own: {}, other: {}, base: oldBase, clashes, leavesOwn: true, leavesOther: true };
  }
  const differing = (from: Fields) =>
    Object.fromEntries(Object.entries(merged).filter(([field, value]) => !isSame(field, from[field], value)));
  const [toOwn, toOther] = [differing(pair.own), differing(pair.other)];
  const common = { push: pair.own, pull: pair.other, sync: merged }[direction];
  const base = Object.fromEntries(Object.entries(common).filter(([field]) => field in merged));
  return {
    own: direction === "push" ? {} : toOwn,
    other: direction === "pull" ? {} : toOther,
    base: { ...oldBase, ...stored(base) },
    clashes,
    leavesOwn: direction === "pull" && Object.keys(toOther).length > 0,
    leavesOther: direction === "push" && Object.keys(toOwn).length > 0,
  };
}

const CLASH = Symbol("clash");

function mergeValues(
  { field, by, prefer }: { field: string; by: MergedBy; prefer: Preference },
  { own, other, base, baseTexts }: Pair,
): unknown {
  const [mine, theirs] = [own[field], other[field]];
  const at = base?.[field];
  const before = at === undefined ? undefined : "value" in at ? at.value : baseTexts?.[field];
  const known = before !== undefined || (by === "list" && at === undefined);
  if (known && typeof mine === typeof theirs && mine !== null && theirs !== null) {
    const [asText, fromText] = TEXTS[by];
    const empty = by === "list" ? [] : before;
    const sides = { base: asText(before ?? empty), mine: asText(mine), theirs: asText(theirs) };
    const pieces = mergeField(sides, by);
    const isDecided = pieces.every((piece) => typeof piece === "string");
    if (isDecided || (prefer !== undefined && by === "lines")) {
      const side = prefer === "theirs" ? "theirs" : "mine";
      return fromText(pieces.map((piece) => (typeof piece === "string" ? piece : piece[side])).join(""));
    }
  }
  if (prefer === undefined) return CLASH;
  return prefer === "ours" ? mine : theirs;
}

const json = [
  (value: unknown) => JSON.stringify(value),
  (text: string): unknown => JSON.parse(text),
] as const;
const plain = [(value: unknown) => String(value), (text: string): unknown => text] as const;

/** How the values of a field become texts that can be merged, and what the merged text means. */
const TEXTS: Record<MergedBy, readonly [(value: unknown) => string, (text: string) => unknown]> = {
  lines: plain,
  whole: json,
  members: json,
  list: [
    (value) => (value as string[]).join(","),
    (text) =>
      text
        .split(",")
        .map((tag) => tag.trim())
        .filter((tag) => tag !== ""),
  ],
};
