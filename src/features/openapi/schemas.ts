// The schemas of the document: JSON Schema made of those that the server checks with, and an example of each. Named ones
// become components. It must not know operations.

/** Any JSON Schema, as plain JSON. */
export interface JsonSchema {
  $id?: string;
  $ref?: string;
  type?: string;
  description?: string;
  const?: unknown;
  enum?: unknown[];
  anyOf?: JsonSchema[];
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
  /** The schema as the document holds it: a reference when it has a name. */
  write(schema: object): JsonSchema;
  /** Named schemas written so far. */
  readonly components: Record<string, JsonSchema>;
}

export function createSchemaWriter(): SchemaWriter {
  const components: Record<string, JsonSchema> = {};
  const write = ({ $id, patternProperties, ...schema }: JsonSchema): JsonSchema => {
    const written: JsonSchema = { ...schema };
    if (schema.anyOf) Object.assign(written, alternatives(schema.anyOf));
    if (schema.items) written.items = write(schema.items);
    if (schema.properties) {
      const members = Object.entries(schema.properties);
      written.properties = Object.fromEntries(members.map(([name, member]) => [name, write(member)]));
    }
    if (patternProperties) written.additionalProperties = true;
    if ($id === undefined) return written;
    components[$id] = written;
    return { $ref: `#/components/schemas/${$id}` };
  };
  const alternatives = (anyOf: JsonSchema[]): JsonSchema =>
    anyOf.every((schema) => typeof schema.const === "string")
      ? { type: "string", enum: anyOf.map((schema) => schema.const), anyOf: undefined }
      : { anyOf: anyOf.map(write) };
  return { components, write: (schema) => plain(write(plain(schema))) };
}

/** Without symbols, functions and undefined members. */
function plain(schema: object): JsonSchema {
  return JSON.parse(JSON.stringify(schema)) as JsonSchema;
}

/**
 * The example that a schema brings along, or else one made of its members' examples; optional members without one are left
 * out. Throws for a schema that has none.
 */
export function exampleOf(schema: JsonSchema): unknown {
  if (schema.examples) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.anyOf) return exampleOf(schema.anyOf[0]);
  if (schema.items) return [exampleOf(schema.items)];
  if (!schema.properties) throw new Error(`no example: ${JSON.stringify(schema)}`);
  const shown = Object.entries(schema.properties).filter(
    ([name, member]) => schema.required?.includes(name) || member.examples,
  );
  return Object.fromEntries(shown.map(([name, member]) => [name, exampleOf(member)]));
}
