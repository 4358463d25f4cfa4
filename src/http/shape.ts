// Shapes of queries and bodies: TypeBox schemas, which are JSON Schema for the OpenAPI document, with the few rules that
// JSON Schema cannot say (bytes, blanks, NUL) attached to them. Nothing is coerced in a body.

import {
  FormatRegistry,
  type Static,
  type TObject,
  type TSchema,
  type TString,
  Type,
} from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { badRequest, Failure, type FieldProblem } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";
import { tagProblems } from "../kernel/tags.ts";
import { utf8Length } from "../kernel/text.ts";

/** A rule beyond JSON Schema. `tooLarge` turns a 400 into a 413. */
interface Verdict {
  problems: FieldProblem[];
  tooLarge?: boolean;
}
type Rule = (value: never, path: string) => Verdict;
const RULE = Symbol("rule");

function ruled<Schema extends TSchema>(schema: Schema, rule: Rule): Schema {
  return Object.assign(schema, { [RULE]: rule });
}

const KB = 1024;

const fine: Verdict = { problems: [] };
const wrong = (path: string, message: string): Verdict => ({ problems: [{ path, message }] });
const tooLarge = (path: string, bytes: number): Verdict => ({
  problems: [{ path, message: `must be at most ${bytes} bytes` }],
  tooLarge: true,
});

/** What a schema states beside JSON Schema: published as it stands here, and checked by the same text. */
interface Stated {
  "x-not-blank"?: true;
  "x-no-nul"?: true;
  "x-no-comma"?: true;
  "x-one-character"?: true;
  "x-max-characters"?: number;
  "x-max-bytes"?: number;
}

/** The members with which a schema states its rules: for machines, and as a sentence. `beyond` is for too many bytes. */
export function stated(rules: Stated, beyond: 400 | 413 = 400): Stated & { description: string } {
  const { "x-max-characters": characters, "x-max-bytes": bytes } = rules;
  const words = [
    rules["x-one-character"] && "one character or emoji",
    rules["x-not-blank"] && "not blank",
    rules["x-no-nul"] && "no NUL",
    rules["x-no-comma"] && "no comma",
    characters && `at most ${characters} characters`,
    bytes && `at most ${amount(bytes)}${beyond === 413 ? " (413 beyond)" : ""}`,
  ];
  const sentence = words.filter(Boolean).join(", ");
  return { ...rules, description: `${sentence[0].toUpperCase()}${sentence.slice(1)}.` };
}

/** Bytes for people. */
function amount(bytes: number): string {
  const [size, unit] =
    bytes < KB ? [bytes, "bytes"] : bytes < KB * KB ? [bytes / KB, "kB"] : [bytes / KB / KB, "MB"];
  return `${size} ${unit}`;
}

/** A text that is checked by what its schema states. */
function textWith(rules: Stated, beyond: 400 | 413 = 400, schema: TString = Type.String()) {
  const minimum = rules["x-not-blank"] ? { minLength: 1 } : {};
  return ruled({ ...schema, ...minimum, ...stated(rules, beyond) }, (value: string, path) => {
    const { "x-max-characters": characters, "x-max-bytes": bytes } = rules;
    if (rules["x-not-blank"] && value.trim() === "") return wrong(path, "must not be blank");
    if (rules["x-no-nul"] && value.includes("\0")) return wrong(path, "must not contain NUL");
    if (characters !== undefined && [...value].length > characters) {
      return wrong(path, `must be at most ${characters} characters`);
    }
    if (bytes === undefined || utf8Length(value) <= bytes) return fine;
    return beyond === 413 ? tooLarge(path, bytes) : wrong(path, `must be at most ${bytes} bytes`);
  });
}

/** A short text such as a title: not blank, no NUL, at most `bytes` bytes (413 beyond). */
export function shortText(bytes: number) {
  return textWith({ "x-not-blank": true, "x-no-nul": true, "x-max-bytes": bytes }, 413);
}

/** A label that may be left out but not be malformed: not blank, no NUL, at most `bytes` bytes (400 beyond). */
export function label(bytes: number) {
  return textWith({ "x-not-blank": true, "x-no-nul": true, "x-max-bytes": bytes });
}

const graphemes = new Intl.Segmenter();

/** One visible character as a reader counts them (a grapheme cluster), such as an emoji (400 for anything else). */
export function grapheme() {
  const { iconBytes } = LIMITS.collection;
  const schema = Type.String({
    minLength: 1,
    ...stated({ "x-one-character": true, "x-max-bytes": iconBytes }),
  });
  return ruled(schema, (value: string, path) => {
    const isOne = utf8Length(value) <= iconBytes && [...graphemes.segment(value)].length === 1;
    return isOne && /[^\s\p{Cc}\p{Cf}]/u.test(value) ? fine : wrong(path, "must be one character or emoji");
  });
}

/** A text kept byte for byte, at most `bytes` bytes of UTF-8 (413 beyond). */
export function longText(bytes: number) {
  return textWith({ "x-max-bytes": bytes }, 413);
}

/** A text kept byte for byte that must say something: not blank, at most `bytes` bytes of UTF-8 (413 beyond). */
export function filledText(bytes: number) {
  return textWith({ "x-not-blank": true, "x-max-bytes": bytes }, 413);
}

FormatRegistry.Set("uri", (value) => URL.canParse(value));

/** An absolute URI, at most 8 kB (400 beyond). */
export function uri() {
  return textWith({ "x-no-nul": true, "x-max-bytes": LIMITS.uri.bytes }, 400, Type.String({ format: "uri" }));
}

/** An object with arbitrary members, at most `bytes` bytes as JSON (413 beyond). */
export function freeObject(bytes: number) {
  const schema = Type.Record(Type.String(), Type.Unknown(), stated({ "x-max-bytes": bytes }, 413));
  return ruled(schema, (value: object, path) =>
    utf8Length(JSON.stringify(value)) > bytes ? tooLarge(path, bytes) : fine,
  );
}

/** A list of at most `bytes` bytes as JSON (413 beyond); `problemsOf` says what else is wrong with its items. */
export function boundedList<Item extends TSchema>(
  item: Item,
  bytes: number,
  problemsOf: (items: Static<Item>[], path: string) => FieldProblem[],
) {
  const schema = Type.Array(item, stated({ "x-max-bytes": bytes }, 413));
  return ruled(schema, (value: Static<Item>[], path) =>
    utf8Length(JSON.stringify(value)) > bytes
      ? tooLarge(path, bytes)
      : { problems: problemsOf(value, path).slice(0, MAX_PROBLEMS) },
  );
}

/** Tags as they are written. */
export function tagList() {
  const { bytes, count } = LIMITS.tags;
  const tag = stated({ "x-not-blank": true, "x-no-nul": true, "x-no-comma": true, "x-max-bytes": bytes });
  return ruled(
    Type.Array(Type.String({ minLength: 1, ...tag }), { maxItems: count }),
    (value: string[], path) => ({
      problems: tagProblems(value, path),
    }),
  );
}

/** What a person looks for: not blank, no NUL, at most LIMITS.query.characters characters. */
export function searchText() {
  return textWith({
    "x-not-blank": true,
    "x-no-nul": true,
    "x-max-characters": LIMITS.query.characters,
  });
}

/**
 * A substring to filter a list by: no NUL, at most LIMITS.query.characters characters; an empty one counts as absent.
 * `where` says what it is looked for in.
 */
export function filterText(where: string) {
  const text = textWith({ "x-no-nul": true, "x-max-characters": LIMITS.query.characters });
  return { ...text, description: `Looked for in ${where}, letter case aside. ${text.description}` };
}

const compiled = new WeakMap<TObject, TypeCheck<TObject>>();

/**
 * Checks a value that was parsed already. Throws `bad-request` with every field that is wrong, or `too-large` when the
 * only thing wrong is the size of a field.
 */
export function checkShape<Schema extends TObject>(schema: Schema, value: unknown): Static<Schema> {
  let check = compiled.get(schema);
  if (!check) {
    check = TypeCompiler.Compile<TObject>(schema);
    compiled.set(schema, check);
  }
  if (!check.Check(value)) throw badRequest(...typeProblems(check, value));
  const large: FieldProblem[] = [];
  const bad: FieldProblem[] = [];
  for (const [name, member] of Object.entries(schema.properties)) {
    const given = (value as Record<string, unknown>)[name];
    const rule = ruleOf(member);
    if (given === undefined || given === null || !rule) continue;
    const verdict = rule(given as never, name);
    (verdict.tooLarge ? large : bad).push(...verdict.problems);
  }
  if (bad.length > 0) throw badRequest(...bad);
  if (large.length > 0) throw new Failure("too-large", `${large[0].path}: ${large[0].message}`, large);
  return value as Static<Schema>;
}

/** A schema's rule, also when it stands in a union with null. */
function ruleOf(schema: TSchema & { [RULE]?: Rule }): Rule | undefined {
  return (
    schema[RULE] ?? (schema.anyOf as TSchema[] | undefined)?.map(ruleOf).find((rule) => rule !== undefined)
  );
}

const MAX_PROBLEMS = 20;

function typeProblems(check: TypeCheck<TObject>, value: unknown): FieldProblem[] {
  const byPath = new Map<string, string>();
  for (const { path, message } of check.Errors(value)) {
    const dotted = path.slice(1).replaceAll("/", ".") || "body";
    if (!byPath.has(dotted)) byPath.set(dotted, message.replace(/^Expected/, "expected"));
    if (byPath.size >= MAX_PROBLEMS) break;
  }
  return [...byPath].map(([path, message]) => ({ path, message }));
}
