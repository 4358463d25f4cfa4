// Converts the schemas that the server validates with to the JSON Schema of the document, and builds examples from
// them. Schemas with an `$id` become components.

/** Any JSON Schema, as JSON. */
export interface JsonSchema {
  $id?: string;
  $ref?: string;
  type?: string;
  description?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: unknown;
  patternProperties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  default?: unknown;
  examples?: unknown[];
  [member: string]: unknown;
}

export interface SchemaWriter {
  /** The schema as it is published: a reference if it has a name. */
  write(schema: object): JsonSchema;
  /** The named schemas written so far. */
  readonly components: Record<string, JsonSchema>;
}

/** Creates a writer without components. */
export function createSchemaWriter(): SchemaWriter {
  const components: Record<string, JsonSchema> = {};
  const write = ({ $id, patternProperties, ...schema }: JsonSchema): JsonSchema => {
    const written: JsonSchema = { ...schema, ...patternOf(schema) };
    if (schema.anyOf) Object.assign(written, alternatives(schema.anyOf));
    if (schema.items) written.items = write(schema.items);
    if (schema.properties) {
      const members = Object.entries(schema.properties);
      written.properties = Object.fromEntries(members.map(([name, member]) => [name, write(member)]));
    }
    if (patternProperties) written.additionalProperties = true;
    if ($id === undefined) return written;
    // Each use of the schema has its own example.
    const { examples: _, ...component } = written;
    components[$id] = component;
    return { $ref: `#/components/schemas/${$id}` };
  };
  const alternatives = (anyOf: JsonSchema[]): JsonSchema =>
    anyOf.every((schema) => typeof schema.const === "string")
      ? { type: "string", enum: anyOf.map((schema) => schema.const), anyOf: undefined }
      : anyOf.every((schema) => schema.$id)
        ? { oneOf: anyOf.map(write), anyOf: undefined }
        : { anyOf: anyOf.map(write) };
  return { components, write: (schema) => asJson(write(asJson(schema))) };
}

/** The pattern of texts without certain characters, for clients that do not know the extension members. */
function patternOf({ type, pattern, ...schema }: JsonSchema): { pattern?: string } {
  if (type !== "string" || pattern !== undefined || !schema["x-no-nul"]) return {};
  return { pattern: `^[^${schema["x-no-comma"] ? "," : ""}\\u0000]*$` };
}

/** A copy without symbols, functions and undefined members. */
function asJson(schema: object): JsonSchema {
  return JSON.parse(JSON.stringify(schema)) as JsonSchema;
}

/**
 * The example of a schema, or one built from its members' examples. Optional members without an example are omitted.
 * Throws if there is none.
 */
export function exampleOf(schema: JsonSchema): unknown {
  if (schema.examples) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  const [alternative] = schema.anyOf ?? [];
  if (alternative) return exampleOf(alternative);
  if (schema.items) return [exampleOf(schema.items)];
  if (!schema.properties) throw new Error(`no example: ${JSON.stringify(schema)}`);
  const shown = Object.entries(schema.properties).filter(
    ([name, member]) => schema.required?.includes(name) || member.examples,
  );
  return Object.fromEntries(shown.map(([name, member]) => [name, exampleOf(member)]));
}
