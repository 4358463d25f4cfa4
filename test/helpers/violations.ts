// Requests that violate the OpenAPI document in one respect each: what a schema forbids, and the rules for all bodies,
// queries, ids and headers.

import type { OpenApiDocument, OperationObject, Parameter } from "../../src/site/openapi/document-types.ts";
import type { JsonSchema } from "../../src/site/openapi/schemas.ts";
import { resolve } from "./json-schema.ts";
import { LEFT_OUT, type Sent } from "./world.ts";

export interface Violation {
  what: string;
  /** The statuses with which it may be rejected. */
  rejectedWith: readonly number[];
  /** The field that `details` must name, if any. */
  field?: string;
  /** Adds the violation to a valid request. */
  apply(sent: Sent): Sent;
}

type Path = (string | number)[];

const MAX_TRIED_BYTES = 256 * 1024;

/** Values that a schema forbids. */
function forbiddenBy(document: OpenApiDocument, given: JsonSchema): { value: unknown; isLarge?: boolean }[] {
  const schema = resolve<JsonSchema>(document, given);
  const types = (schema.anyOf ?? [schema]).map((one) => one.type);
  const samples: Record<string, unknown> = { null: null, boolean: true, string: "5", array: [], object: {} };
  const values = Object.entries(samples)
    .filter(([type]) => !types.includes(type))
    .map(([, value]) => ({ value }));
  const add = (...more: unknown[]) => values.push(...more.map((value) => ({ value })));
  if (!types.includes("integer") && !types.includes("number")) add(5);
  const { minimum, maximum, maxItems } = schema as Record<string, number | undefined>;
  if (types.includes("integer")) add(1.5);
  if (minimum !== undefined) add(minimum - 1);
  if (maximum !== undefined) add(maximum + 1);
  if (maxItems !== undefined) add(Array(maxItems + 1).fill("a"));
  if (schema.enum) add("no-such-value", "");
  if (schema.pattern && !schema["x-no-nul"]) add("\n");
  const text = (schema.anyOf ?? [schema]).find(({ type }) => type === "string") ?? {};
  if (text["x-not-blank"]) add("", " \t\n");
  if (text["x-no-nul"]) add("a\0b");
  if (text["x-no-comma"]) add("a,b");
  if (text["x-one-character"]) add("", "ab", " ");
  if (text.format === "uri") add("no uri", "");
  const characters = text["x-max-characters"] as number | undefined;
  if (characters) add("x".repeat(characters + 1));
  const bytes = (schema["x-max-bytes"] ?? text["x-max-bytes"] ?? Number.POSITIVE_INFINITY) as number;
  const large = "é".repeat(bytes <= MAX_TRIED_BYTES ? bytes / 2 + 1 : 0);
  if (large === "") return values;
  if (text.type === "string") return [...values, { value: large, isLarge: true }];
  if (schema.type === "object") return [...values, { value: { large }, isLarge: true }];
  return values;
}

/** The forbidden values of a schema and of everything inside it, with their paths. */
function* within(
  document: OpenApiDocument,
  given: JsonSchema,
  at: Path,
): Generator<{ at: Path; value: unknown; isLarge?: boolean }> {
  const schema = resolve<JsonSchema>(document, given);
  if (at.length > 0) yield* forbiddenBy(document, schema).map((one) => ({ at, ...one }));
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    if (schema.required?.includes(name)) yield { at: [...at, name], value: undefined };
    yield* within(document, member, [...at, name]);
  }
  if (schema.items) yield* within(document, schema.items, [...at, 0]);
}

/**
 * The value with `next` at the path `at`; undefined removes the member. Missing parents are created from their schemas.
 */
function replaced(
  document: OpenApiDocument,
  { schema: given, value }: { schema: JsonSchema; value: unknown },
  { at, next }: { at: Path; next: unknown },
): unknown {
  const [first, ...rest] = at;
  if (first === undefined) return next;
  const schema = resolve<JsonSchema>(document, given);
  const inner = schema.items ?? schema.properties?.[first] ?? {};
  const old = (value as Record<string | number, unknown> | undefined)?.[first] ?? exampleFor(document, inner);
  const changed = replaced(document, { schema: inner, value: old }, { at: rest, next });
  if (typeof first === "number") return [changed];
  return { ...(value as object), [first]: changed };
}

/** A minimal value of a schema. */
function exampleFor(document: OpenApiDocument, given: JsonSchema): unknown {
  const schema = resolve<JsonSchema>(document, given);
  if (schema.enum) return schema.enum[0];
  if (schema.properties) {
    const required = schema.required ?? [];
    return Object.fromEntries(
      required.map((name) => [name, exampleFor(document, schema.properties![name]!)]),
    );
  }
  return schema.items ? [] : "a";
}

function bodyViolations(document: OpenApiDocument, operation: OperationObject): Violation[] {
  if (!operation.requestBody) return [];
  const schema = resolve<JsonSchema>(document, operation.requestBody.content["application/json"]!.schema);
  const isClosed = schema.additionalProperties === false;
  const members = [
    ...within(document, schema, []),
    ...(isClosed ? [{ at: ["unknownMember"], value: 1 }] : []),
  ];
  const inMembers = members.map(
    ({ at, value, isLarge }): Violation => ({
      what: `body.${at.join(".")} = ${JSON.stringify(value)?.slice(0, 60)}`,
      rejectedWith: isLarge ? [400, 413] : [400],
      field: String(at[0]),
      apply: (sent) => ({
        ...sent,
        body: JSON.stringify(
          replaced(document, { schema, value: JSON.parse(String(sent.body ?? "{}")) }, { at, next: value }),
        ),
      }),
    }),
  );
  const withBody = (what: string, body: Sent["body"], headers: Record<string, string> = {}): Violation => ({
    what,
    rejectedWith: [400],
    apply: (sent) => ({ ...sent, body, headers: { ...sent.headers, ...headers } }),
  });
  const deep = `${'{"a":'.repeat(70)}1${"}".repeat(70)}`;
  return [
    ...inMembers,
    ...["[]", "null", '"text"', "5", "{", "{}}", "{'a':1}", "NaN"].map((body) =>
      withBody(`body ${body}`, body),
    ),
    withBody("body that is not UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])),
    withBody("a lone surrogate", '{"unknownMember":"\\ud800"}'),
    withBody("a number without end", '{"unknownMember":1e999}'),
    withBody("nesting without measure", `{"unknownMember":${deep}}`),
    ...[
      "text/plain",
      "application/x-www-form-urlencoded",
      "application/json; charset=latin1",
      "application/jsonp",
    ].map((type) => withBody(`Content-Type ${type}`, "{}", { "Content-Type": type })),
    ...(operation.requestBody.required ? [withBody("no body", undefined)] : []),
    withBody("Content-Encoding", "{}", { "Content-Encoding": "gzip" }),
  ];
}

function parameterViolations(document: OpenApiDocument, path: string, parameters: Parameter[]): Violation[] {
  const append = (what: string, query: string, field?: string): Violation => ({
    what,
    rejectedWith: [400],
    field,
    apply: ({ target, ...sent }) => {
      // The parameter itself may already be present.
      const [place = "", given = ""] = target.split("?");
      const others = given.split("&").filter((pair) => pair !== "" && pair.split("=")[0] !== field);
      return { ...sent, target: `${place}?${[...others, query].join("&")}` };
    },
  });
  const inQuery = parameters.filter((parameter) => parameter.in === "query");
  const wrong = inQuery.flatMap(({ name, schema, allowEmptyValue, explode }) => {
    // Every text is a list.
    if (explode === false) return [];
    const texts = forbiddenBy(document, schema)
      // In a query, every value is text.
      .filter(({ value }) => typeof value === "string" || isWrongText(schema, JSON.stringify(value)))
      .map(({ value }) => (typeof value === "string" ? value : JSON.stringify(value)))
      .filter((text) => schema.type === "string" || isWrongText(schema, text))
      .filter((text) => !(allowEmptyValue && text === ""));
    return [...new Set(texts)].map((text) =>
      append(`${name}=${text.slice(0, 40)}`, `${name}=${encodeURIComponent(text)}`, name),
    );
  });
  const notNumbers = inQuery
    .filter(({ schema }) => schema.type === "integer" || schema.type === "number")
    .flatMap(({ name }) =>
      ["", "x", "1e1", "0x1", "%20", "1%20", "%2B1", "--1", "01", "1_0", "Infinity"].map((text) =>
        append(`${name}=${text}`, `${name}=${text}`, name),
      ),
    );
  const ids = path.includes("{")
    ? ["short", "0".repeat(26), "0".repeat(28), `${"0".repeat(26)}_`, `${"0".repeat(26)}%C3%A9`]
    : [];
  const cursors = inQuery.some(({ name }) => name === "cursor")
    ? ["x", "bm90IGEgY3Vyc29y", "W10", "%00"]
    : [];
  return [
    ...wrong,
    ...notNumbers,
    ...cursors.map((cursor) => withoutContent(append(`cursor=${cursor}`, `cursor=${cursor}`, "cursor"))),
    ...inQuery
      .filter(({ name }) => name !== "tags")
      .map(({ name }) => append(`${name} twice`, `${name}=a&${name}=a`, name)),
    append("an unknown parameter twice", "unknown=1&unknown=1", "unknown"),
    append("a malformed escape", "unknown=%zz"),
    append("NUL in a query", "unknown=%00"),
    append("bytes that are not UTF-8", "%ff=1"),
    ...ids.map(
      (id): Violation => ({
        what: `id ${id}`,
        rejectedWith: [400],
        field: "id",
        apply: (sent) => ({ ...sent, target: path.replace(/\{\w+\}/, id) }),
      }),
    ),
  ];
}

/** Lists with `includeContent=true` have one page and ignore the cursor. */
function withoutContent(violation: Violation): Violation {
  return {
    ...violation,
    apply: (sent) =>
      violation.apply({
        ...sent,
        target: sent.target.replace("includeContent=true", "includeContent=false"),
      }),
  };
}

/** Whether a text is not a value of its parameter's type. */
function isWrongText({ type, minimum, maximum }: JsonSchema, text: string): boolean {
  if (type === "boolean") return text !== "true" && text !== "false";
  if (type !== "integer" && type !== "number") return false;
  const number = Number(text);
  if (text === "" || Number.isNaN(number) || (type === "integer" && !Number.isInteger(number))) return true;
  return number < Number(minimum ?? number) || number > Number(maximum ?? number);
}

function headerViolations(operation: OperationObject, parameters: Parameter[]): Violation[] {
  const given = new Set(parameters.map(({ name }) => name));
  const withHeader = (
    name: string,
    value: string,
    expected: Pick<Violation, "rejectedWith" | "field">,
  ): Violation => ({
    what: `${name}: ${value.slice(0, 40)}`,
    ...expected,
    apply: (sent) => ({ ...sent, headers: { ...sent.headers, [name]: value } }),
  });
  const malformed: Record<string, string[]> = {
    "Idempotency-Key": ["", "é", "k".repeat(256)],
    "If-Match": ["", "unquoted", '"open', '"a" "b"'],
    "If-None-Match": ["", "unquoted", '"open'],
  };
  const agents = ["python-requests/2.32.3", "axios/1.7.9", "", "Bun/1.4.5"];
  const credentials = ["API-Key gm_x_y", "api-key", "Bearer x.y.z", "Bearer mt_", "Basic dTpw", LEFT_OUT];
  return [
    ...Object.entries(malformed)
      .filter(([name]) => given.has(name))
      .flatMap(([name, values]) =>
        values.map((value) => withHeader(name, value, { rejectedWith: [400], field: name })),
      ),
    ...agents.map((agent) => withHeader("User-Agent", agent, { rejectedWith: [403] })),
    ...(operation.security
      ? []
      : credentials.map((value) => withHeader("Authorization", value, { rejectedWith: [401] }))),
    withHeader("Origin", "https://evil.example", { rejectedWith: [403] }),
  ];
}

/** All known violations of an operation. */
export function violationsOf(
  document: OpenApiDocument,
  path: string,
  { operation, parameters }: { operation: OperationObject; parameters: Parameter[] },
): Violation[] {
  return [
    ...bodyViolations(document, operation),
    ...parameterViolations(document, path, parameters),
    ...headerViolations(operation, parameters),
  ];
}
