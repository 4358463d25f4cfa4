// Converts JSON Schema of the OpenAPI document to TypeBox schemas, so that responses and examples can be checked
// against the published document.

import { type TSchema, Type } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import type { OpenApiDocument } from "../../src/site/openapi/document-types.ts";
import type { JsonSchema } from "../../src/site/openapi/schemas.ts";

/** The target of a reference, or the value itself if it is not a reference. Throws if there is no target. */
export function resolve<Thing>(document: OpenApiDocument, given: unknown): Thing {
  const { $ref } = given as { $ref?: string };
  if ($ref === undefined) return given as Thing;
  if (!$ref.startsWith("#/")) throw new Error(`${$ref} leads outside`);
  let found: unknown = document;
  for (const name of $ref.slice(2).split("/")) found = (found as Record<string, unknown> | undefined)?.[name];
  if (found === undefined) throw new Error(`${$ref} leads nowhere`);
  return resolve<Thing>(document, found);
}

/** With `closed`, an object may have no member that its schema does not declare. */
function toTypeBox(document: OpenApiDocument, given: JsonSchema, closed: boolean): TSchema {
  const schema = resolve<JsonSchema>(document, given);
  const within = (inner: JsonSchema) => toTypeBox(document, inner, closed);
  if (schema.const !== undefined) return Type.Literal(schema.const as string);
  if (schema.enum) return Type.Union(schema.enum.map((value) => Type.Literal(value as string)));
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives) return Type.Union(alternatives.map(within));
  const { minimum, maximum, minLength, maxLength, pattern, maxItems } = schema as Record<string, never>;
  switch (schema.type) {
    case "string":
      return Type.String({ minLength, maxLength, pattern });
    case "integer":
      return Type.Integer({ minimum, maximum });
    case "number":
      return Type.Number({ minimum, maximum });
    case "boolean":
      return Type.Boolean();
    case "null":
      return Type.Null();
    case "array":
      return Type.Array(within(schema.items ?? {}), { maxItems });
    case "object": {
      const members = Object.entries(schema.properties ?? {}).map(([name, member]) => [
        name,
        schema.required?.includes(name) ? within(member) : Type.Optional(within(member)),
      ]);
      const additionalProperties = (schema.additionalProperties as boolean | undefined) ?? !closed;
      return Type.Object(Object.fromEntries(members), { additionalProperties });
    }
    default:
      if (Object.keys(schema).every((name) => ["description", "examples"].includes(name)))
        return Type.Unknown();
      throw new Error(`cannot read the schema ${JSON.stringify(schema)}`);
  }
}

const compiled = new Map<string, TypeCheck<TSchema>>();

/** What is wrong with a value, or an empty list. `closed` also reports undeclared members. */
export function problemsWith(
  document: OpenApiDocument,
  { schema, closed = false }: { schema: JsonSchema; closed?: boolean },
  value: unknown,
): string[] {
  const key = `${closed} ${JSON.stringify(schema)}`;
  let check = compiled.get(key);
  if (!check) {
    check = TypeCompiler.Compile(toTypeBox(document, schema, closed));
    compiled.set(key, check);
  }
  if (check.Check(value)) return [];
  return [...check.Errors(value)].slice(0, 5).map(({ path, message }) => `${path || "/"}: ${message}`);
}

/** Converts the text of a header or query parameter to the type of its schema. */
export function fromText({ type }: JsonSchema, text: string): unknown {
  if (type === "boolean") return text === "true" ? true : text === "false" ? false : text;
  return (type === "integer" || type === "number") && text !== "" ? Number(text) : text;
}
