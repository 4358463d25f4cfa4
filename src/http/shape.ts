// Shapes of queries and bodies: TypeBox schemas, which are JSON Schema for the OpenAPI document, with the few rules
// that JSON Schema cannot express (bytes, blanks, NUL) attached to them. Nothing is coerced in a body.

import { FormatRegistry, type Static, type TObject, type TSchema, Type } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import { badRequest, Failure, type FieldProblem } from "../kernel/errors.ts";
import { LIMITS } from "../kernel/limits.ts";
import type { FieldSize, FieldSizes } from "./json-structure.ts";
import { tagProblems } from "../kernel/tags.ts";
import { hasMoreCharacters, utf8Length } from "../kernel/text.ts";
import { isHttpUri } from "../kernel/uri.ts";

/** The result of a rule beyond JSON Schema. `tooLarge` turns a 400 into a 413. */
interface Verdict {
  problems: FieldProblem[];
  tooLarge?: boolean;
}
type Rule = (value: never, path: string) => Verdict;
const RULE = Symbol("rule");

/** A schema with a rule; `sizeStatus` is the status for too many bytes. */
type Ruled = TSchema & ExtraRules & { [RULE]?: Rule; [SIZE_STATUS]?: SizeStatus };
type SizeStatus = 400 | 413;
const SIZE_STATUS = Symbol("size status");

function withRule<Schema extends TSchema>(schema: Schema, rule: Rule, sizeStatus: SizeStatus = 400): Schema {
  return Object.assign(schema, { [RULE]: rule, [SIZE_STATUS]: sizeStatus });
}

const KB = 1024;

const VALID: Verdict = { problems: [] };
const invalid = (path: string, message: string): Verdict => ({ problems: [{ path, message }] });
const tooLarge = (path: string, bytes: number): Verdict => ({
  problems: [{ path, message: `must be at most ${bytes} bytes` }],
  tooLarge: true,
});

/** Rules that JSON Schema cannot express, in the form in which they are published. */
interface ExtraRules {
  "x-not-blank"?: true;
  "x-no-nul"?: true;
  "x-no-comma"?: true;
  "x-one-character"?: true;
  "x-max-characters"?: number;
  "x-max-bytes"?: number;
}

/**
 * Schema members that describe the rules, for machines and as a sentence. `sizeStatus` is the status for too many
 * bytes.
 */
export function describeRules(
  rules: ExtraRules,
  sizeStatus: SizeStatus = 400,
): ExtraRules & { description: string } {
  const { "x-max-characters": characters, "x-max-bytes": bytes } = rules;
  const words = [
    rules["x-one-character"] && "one character or emoji",
    rules["x-not-blank"] && "not blank",
    rules["x-no-nul"] && "no NUL",
    rules["x-no-comma"] && "no comma",
    characters && `at most ${characters} characters`,
    bytes && `at most ${amount(bytes)}${sizeStatus === 413 ? " (413 if larger)" : ""}`,
  ];
  const sentence = words.filter(Boolean).join(", ");
  return { ...rules, description: `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.` };
}

/** A number of bytes for people: `16 kB`. */
function amount(bytes: number): string {
  const [size, unit] =
    bytes < KB ? [bytes, "bytes"] : bytes < KB * KB ? [bytes / KB, "kB"] : [bytes / KB / KB, "MB"];
  return `${size} ${unit}`;
}

/** A text with rules. */
function textWith(rules: ExtraRules, sizeStatus: SizeStatus = 400) {
  const minimum = rules["x-not-blank"] ? { minLength: 1 } : {};
  const schema = Type.String({ ...minimum, ...describeRules(rules, sizeStatus) });
  const rule = (value: string, path: string) => {
    const { "x-max-characters": characters, "x-max-bytes": bytes } = rules;
    if (rules["x-not-blank"] && value.trim() === "") return invalid(path, "must not be blank");
    if (rules["x-no-nul"] && value.includes("\0")) return invalid(path, "must not contain NUL");
    if (characters !== undefined && hasMoreCharacters(value, characters)) {
      return invalid(path, `must be at most ${characters} characters`);
    }
    if (bytes === undefined || utf8Length(value) <= bytes) return VALID;
    return sizeStatus === 413 ? tooLarge(path, bytes) : invalid(path, `must be at most ${bytes} bytes`);
  };
  return withRule(schema, rule, sizeStatus);
}

/** A short text such as a title: not blank, no NUL, at most `bytes` bytes (413 if larger). */
export function shortText(bytes: number) {
  return textWith({ "x-not-blank": true, "x-no-nul": true, "x-max-bytes": bytes }, 413);
}

/** A label: not blank, no NUL, at most `bytes` bytes (400 beyond). */
export function label(bytes: number) {
  return textWith({ "x-not-blank": true, "x-no-nul": true, "x-max-bytes": bytes });
}

/** A label of a version of a prompt, such as `production` (400 for anything else). */
export function versionLabel() {
  return Type.String({
    pattern: `^[a-z0-9][a-z0-9._-]{0,${LIMITS.labels.characters - 1}}$`,
    description: "Lower-case letters, digits, `.`, `_` and `-`.",
    examples: ["production"],
  });
}

const graphemes = new Intl.Segmenter();

/** One visible character as a reader counts them (a grapheme cluster), such as an emoji (400 for anything else). */
export function grapheme() {
  const { iconBytes } = LIMITS.collection;
  const schema = Type.String({
    minLength: 1,
    ...describeRules({ "x-one-character": true, "x-max-bytes": iconBytes }),
  });
  return withRule(schema, (value: string, path) => {
    const isOne = utf8Length(value) <= iconBytes && [...graphemes.segment(value)].length === 1;
    return isOne && /[^\s\p{Cc}\p{Cf}]/u.test(value)
      ? VALID
      : invalid(path, "must be one character or emoji");
  });
}

/** A text stored byte for byte, at most `bytes` bytes of UTF-8 (413 if larger). */
export function longText(bytes: number) {
  return textWith({ "x-max-bytes": bytes }, 413);
}

/** A text stored byte for byte: not blank, at most `bytes` bytes of UTF-8 (413 if larger). */
export function nonBlankText(bytes: number) {
  return textWith({ "x-not-blank": true, "x-max-bytes": bytes }, 413);
}

// The rule below checks the format: its message is better, and it checks the length first.
FormatRegistry.Set("uri", () => true);

/** An absolute http or https URI, at most 8 kB (400 beyond). */
export function uri() {
  const { bytes } = LIMITS.uri;
  const { description, ...rules } = describeRules({ "x-max-bytes": bytes });
  const schema = Type.String({
    format: "uri",
    ...rules,
    description: `An absolute http or https URI. ${description}`,
  });
  return withRule(schema, (value: string, path) => {
    if (utf8Length(value) > bytes) return invalid(path, `must be at most ${bytes} bytes`);
    return isHttpUri(value) ? VALID : invalid(path, "must be an absolute http or https URI");
  });
}

/** An object with arbitrary members, at most `bytes` bytes as JSON (413 if larger). */
export function freeObject(bytes: number) {
  const schema = Type.Record(Type.String(), Type.Unknown(), describeRules({ "x-max-bytes": bytes }, 413));
  const rule = (value: object, path: string) =>
    utf8Length(JSON.stringify(value)) > bytes ? tooLarge(path, bytes) : VALID;
  return withRule(schema, rule, 413);
}

/** A list of at most `bytes` bytes as JSON (413 if larger); `problemsOf` returns what else is wrong with its items. */
export function boundedList<Item extends TSchema>(
  item: Item,
  bytes: number,
  problemsOf: (items: Static<Item>[], path: string) => FieldProblem[],
) {
  const schema = Type.Array(item, describeRules({ "x-max-bytes": bytes }, 413));
  const rule = (value: Static<Item>[], path: string) =>
    utf8Length(JSON.stringify(value)) > bytes
      ? tooLarge(path, bytes)
      : { problems: problemsOf(value, path).slice(0, MAX_PROBLEMS) };
  return withRule(schema, rule, 413);
}

/** An id in a body or a query. Its form is not checked: a record with another one is not found. */
export function recordId(description: string) {
  return Type.String({ maxLength: LIMITS.id.characters, description });
}

/** A list of ids. */
export function recordIds(count: number, description: string) {
  return Type.Array(Type.String({ maxLength: LIMITS.id.characters }), { maxItems: count, description });
}

/** Tags in a body. */
export function tagList() {
  const { bytes, count } = LIMITS.tags;
  const tag = describeRules({
    "x-not-blank": true,
    "x-no-nul": true,
    "x-no-comma": true,
    "x-max-bytes": bytes,
  });
  return withRule(
    Type.Array(Type.String({ minLength: 1, ...tag }), { maxItems: count }),
    (value: string[], path) => ({
      problems: tagProblems(value, path),
    }),
  );
}

/** A search query: not blank, no NUL, at most LIMITS.query.characters characters. */
export function searchText() {
  return textWith({
    "x-not-blank": true,
    "x-no-nul": true,
    "x-max-characters": LIMITS.query.characters,
  });
}

/**
 * A substring to filter a list by: no NUL, at most LIMITS.query.characters characters; an empty one counts as absent.
 * `where` names the fields that are searched.
 */
export function filterText(where: string) {
  const text = textWith({ "x-no-nul": true, "x-max-characters": LIMITS.query.characters });
  return { ...text, description: `A substring of ${where}, ignoring case. ${text.description}` };
}

const compiled = new WeakMap<TObject, TypeCheck<TObject>>();

/**
 * Checks a parsed value. Throws `bad-request` with every field that is wrong, or `too-large` if only the sizes of
 * fields are wrong.
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
  const [first, ...others] = large;
  if (first) throw allTooLarge([first, ...others]);
  return value as Static<Schema>;
}

const ruleOf = (schema: TSchema): Rule | undefined => ruled(schema)?.[RULE];

/** The schema itself, or the one of a union that has a rule. */
function ruled(schema: Ruled): Ruled | undefined {
  if (schema[RULE]) return schema;
  return (schema.anyOf as Ruled[] | undefined)?.find((one) => one[RULE]);
}

/** An ASCII character may be sent as an escape of six bytes. White space counts too. */
const SENT_BYTES_PER_BYTE = 6;
const MAX_BYTES_PER_CHARACTER = 4;
const sizesOf = new WeakMap<TObject, FieldSizes>();

/**
 * The sizes from which members of a body are rejected before they are parsed: of those that have a limit in bytes or
 * characters.
 */
export function fieldSizes(schema: TObject): FieldSizes {
  let sizes = sizesOf.get(schema);
  if (!sizes) {
    const members = Object.entries(schema.properties);
    sizes = new Map(members.flatMap(([name, member]) => fieldSize(name, ruled(member)) ?? []));
    sizesOf.set(schema, sizes);
  }
  return sizes;
}

function fieldSize(name: string, schema: Ruled | undefined): [[string, FieldSize]] | undefined {
  const { "x-max-bytes": bytes, "x-max-characters": characters } = schema ?? {};
  const maxBytes = bytes ?? (characters && characters * MAX_BYTES_PER_CHARACTER);
  if (maxBytes === undefined) return undefined;
  const message = bytes ? `must be at most ${bytes} bytes` : `must be at most ${characters} characters`;
  const problem = { path: name, message };
  const failure = () => (schema?.[SIZE_STATUS] === 413 ? allTooLarge([problem]) : badRequest(problem));
  return [[name, { sentBytes: maxBytes * SENT_BYTES_PER_BYTE, failure }]];
}

/** 413: only the sizes of fields are wrong. */
function allTooLarge(problems: [FieldProblem, ...FieldProblem[]]): Failure {
  const [{ path, message }] = problems;
  return new Failure("too-large", `${path}: ${message}`, { details: problems });
}

const MAX_PROBLEMS = LIMITS.error.problems;

function typeProblems(check: TypeCheck<TObject>, value: unknown): FieldProblem[] {
  const byPath = new Map<string, string>();
  for (const { path, message, schema } of check.Errors(value)) {
    const dotted = dottedPath(path);
    if (!byPath.has(dotted)) byPath.set(dotted, expectationOf(schema, message));
    if (byPath.size >= MAX_PROBLEMS) break;
  }
  return [...byPath].map(([path, message]) => ({ path, message }));
}

/** A JSON pointer as a path: `tags.0`. */
function dottedPath(pointer: string): string {
  const names = pointer.slice(1).split("/");
  return names.map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~")).join(".") || "body";
}

/** What a value must be, by its schema; TypeBox's own message if the schema does not say it better. */
function expectationOf(schema: TSchema, message: string): string {
  if (message === "Expected required property") return "is required";
  const values = (schema.anyOf as TSchema[] | undefined)?.map(({ const: value }) => value);
  if (values?.every((value) => value !== undefined)) return `must be one of ${values.join(", ")}`;
  if (message.startsWith("Expected string to match") && schema.pattern)
    return `has the wrong form${schema.examples ? `: send one such as ${schema.examples[0]}` : ""}`;
  if (message === "Expected string length greater or equal to 1") return "must not be empty";
  return message
    .replace(/^Expected array length to be less or equal to (\d+)$/, "must have at most $1 items")
    .replace(/^Expected \w+ to be less or equal to (\S+)$/, "must be at most $1")
    .replace(/^Expected \w+ to be greater or equal to (\S+)$/, "must be at least $1")
    .replace(/^Expected (array|integer|object)$/, "must be an $1")
    .replace(/^Expected (\w+)$/, "must be a $1")
    .replace(/^Expected/, "expected");
}
