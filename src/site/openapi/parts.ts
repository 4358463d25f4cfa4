// What the descriptions of operations share: the components they add to, and bodies with their examples.

import type { Content, OpenApiDocument } from "./document-types.ts";
import { exampleOf, type JsonSchema, type SchemaWriter } from "./schemas.ts";

/** Collects the shared components while operations are described. */
export type Parts = Omit<OpenApiDocument["components"], "schemas"> & Pick<SchemaWriter, "write">;

/** A JSON body: its schema, and the example beside it. */
export function contentOf(schema: JsonSchema, { write }: Parts): Content {
  const { examples: _shownBeside, ...written } = write(schema);
  return { "application/json": { schema: written, example: exampleOf(schema) } };
}
