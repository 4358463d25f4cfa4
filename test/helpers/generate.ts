// fast-check arbitraries of valid values for schemas of the OpenAPI document. Ids, ETags and the like are placeholders
// that world.ts replaces with values of existing records when the request is sent.

import fc, { type Arbitrary } from "fast-check";
import type { OpenApiDocument, Parameter } from "../../src/site/openapi/document-types.ts";
import type { JsonSchema } from "../../src/site/openapi/schemas.ts";
import { resolve } from "./json-schema.ts";

/** A placeholder for a value from an earlier response. */
export interface Drawn {
  $from: string;
  pick: number;
}
export const isDrawn = (value: unknown): value is Drawn =>
  typeof value === "object" && value !== null && "$from" in value;

const drawn = (from: string): Arbitrary<Drawn> => fc.record({ $from: fc.constant(from), pick: fc.nat(999) });

/** Members and parameters that refer to a record. */
const SOURCES: Record<string, string> = {
  documentId: "document",
  collectionId: "collection",
  collectionIds: "collection",
  parentCollectionId: "collection",
  itemIds: "item",
  chunkId: "chunk",
  sessionId: "session",
  versionId: "version",
  expectedRevision: "revision",
};

/** Values of filters that match records. */
const FILTERS: Record<string, string[]> = { tags: ["a", "b, a", " ,"], workspace: ["kitchen"] };
const QUERIES = ["q", "query", "search"];

/** A value that is valid by the schema and its `x-` members. */
export function fitting(document: OpenApiDocument, given: JsonSchema, name = ""): Arbitrary<unknown> {
  const schema = resolve<JsonSchema>(document, given);
  const source = SOURCES[name];
  if (source) return schema.type === "array" ? fc.array(drawn(source), { maxLength: 3 }) : drawn(source);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (name === "url") return fc.oneof(fc.webUrl(), fc.domain());
  if (QUERIES.includes(name)) return fc.oneof(drawn("title"), fc.constant("kettle"), textOf(schema));
  const filters = schema.type === "string" ? FILTERS[name] : undefined;
  if (filters) return fc.oneof(fc.constantFrom(...filters), textOf(schema));
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => fitting(document, one)));
  const { minimum = 0, maximum = 1_000_000 } = schema as { minimum?: number; maximum?: number };
  switch (schema.type) {
    case "string":
      return textOf(schema);
    case "integer":
      return fc.integer({ min: minimum, max: maximum });
    case "number":
      return fc.integer({ min: minimum * 100, max: maximum * 100 }).map((hundredths) => hundredths / 100);
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return fc.array(fitting(document, schema.items ?? {}), { maxLength: 3 });
    default:
      return objectOf(document, schema);
  }
}

/** All required members, some optional ones, and undeclared ones if those are ignored. */
function objectOf(document: OpenApiDocument, schema: JsonSchema): Arbitrary<unknown> {
  if (schema.additionalProperties === true)
    return fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3 });
  const members = Object.entries(schema.properties ?? {});
  const declared = someOf(
    Object.fromEntries(members.map(([name, member]) => [name, fitting(document, member, name)])),
    schema.required ?? [],
  );
  if (schema.additionalProperties === false) return declared;
  const ignored = ["id", "revision", "stats", "unknownMember"].filter((name) => !schema.properties?.[name]);
  const undeclared = fc.dictionary(fc.constantFrom(...ignored), fc.jsonValue({ maxDepth: 1 }), {
    maxKeys: 1,
  });
  return fc.tuple(declared, undeclared).map(([known, unknown]) => ({ ...unknown, ...known }));
}

function textOf(schema: JsonSchema): Arbitrary<string> {
  if (schema.format === "uri") return fc.webUrl({ withQueryParameters: true });
  if (schema["x-one-character"]) return fc.constantFrom("🍳", "é", "👩‍🔬", "x");
  // Of a text without NUL, the pattern says only that.
  if (schema.pattern && !schema["x-no-nul"]) return fc.stringMatching(new RegExp(schema.pattern as string));
  const maxBytes = (schema["x-max-bytes"] ?? 1000) as number;
  return fc
    .string({ unit: "grapheme", maxLength: 12 })
    .map((text) => (schema["x-not-blank"] && text.trim() === "" ? `${text}a` : text))
    .map((text) => (schema["x-no-comma"] ? text.replaceAll(",", ";") : text))
    .map((text) => (schema["x-no-nul"] ? text.replaceAll("\0", "0") : text))
    .filter((text) => Buffer.byteLength(text) <= maxBytes);
}

/** Query parameters as text, some optional ones omitted. Cursors come from responses, not from here. */
export function queryOf(
  document: OpenApiDocument,
  parameters: Parameter[],
): Arbitrary<Record<string, unknown>> {
  const inQuery = parameters.filter((parameter) => parameter.in === "query" && parameter.name !== "cursor");
  const members = inQuery.map(({ name, schema, allowEmptyValue, explode }): [string, Arbitrary<unknown>] => {
    // A list in one parameter.
    if (explode === false) return [name, fc.constantFrom(...FILTERS[name]!)];
    const value = fitting(document, schema, name).map((one) =>
      isDrawn(one) ? one : String(one).replaceAll("\0", "0"),
    );
    return [name, allowEmptyValue ? fc.oneof({ weight: 9, arbitrary: value }, fc.constant("")) : value];
  });
  const requiredKeys = inQuery.filter(({ required }) => required).map(({ name }) => name);
  return someOf(Object.fromEntries(members), requiredKeys);
}

/** All required members, with at most two or any number of the optional ones: few filters match more records. */
function someOf(
  model: Record<string, Arbitrary<unknown>>,
  required: string[],
): Arbitrary<Record<string, unknown>> {
  const optional = Object.keys(model).filter((name) => !required.includes(name));
  const chosen = fc.oneof(
    fc.subarray(optional, { maxLength: Math.min(2, optional.length) }),
    fc.subarray(optional),
  );
  return fc.tuple(fc.record(model), chosen).map(([values, kept]) => {
    const names = [...required, ...kept];
    return Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name)));
  });
}

const HEADERS: Record<string, Arbitrary<unknown>> = {
  "If-Match": fc.oneof(
    { weight: 4, arbitrary: drawn("etag") },
    fc.constantFrom("*", '"other"', 'W/"weak", "x"'),
  ),
  "If-None-Match": fc.oneof(drawn("etag"), fc.constantFrom("*", '"other"')),
  "Idempotency-Key": fc.oneof({ weight: 4, arbitrary: fc.uuid() }, fc.constant("once more")),
  "X-Service-Lease-Id": fc.oneof({ weight: 4, arbitrary: drawn("leaseId") }, fc.constant("none")),
  "X-Service-Lease-Fence": fc.oneof({ weight: 4, arbitrary: drawn("fence") }, fc.constantFrom("0", "999")),
};

/** The headers of an operation: none, all, or some. Throws for a header without values in HEADERS. */
export function headersOf(parameters: Parameter[]): Arbitrary<Record<string, unknown>> {
  const names = parameters
    .filter((parameter) => parameter.in === "header" && parameter.name !== "User-Agent")
    .map(({ name }) => name);
  const unknown = names.filter((name) => !HEADERS[name]);
  if (unknown.length > 0) throw new Error(`no values for the headers ${unknown.join(", ")}`);
  const model = Object.fromEntries(names.map((name) => [name, HEADERS[name]!]));
  return fc.oneof(fc.constant({}), fc.record(model), fc.record(model, { requiredKeys: [] }));
}
