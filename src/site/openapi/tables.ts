// Tables of the API reference: parameters, headers and the members of bodies, with types and constraints.

import type { OpenApiDocument, Reference } from "./document-types.ts";
import { type Html, html, line } from "./html.ts";
import type { JsonSchema } from "./schemas.ts";

/** One parameter, header or member. */
interface Row {
  name: string;
  required: boolean;
  description?: string;
  schema: JsonSchema;
}

/** The rows as an HTML table. */
export function table(members: Row[]): Html {
  if (members.length === 0) return html`<p class="quiet">None.</p>`;
  return html`<table>
<thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Description</th></tr></thead>
<tbody>${members.map(
    ({ name, required, description, schema }) =>
      html`<tr><td><code>${name}</code>${required ? html` <span class="quiet">required</span>` : undefined}</td>
<td>${line(typeOf(schema))}</td><td>${line(notesOf(schema, description))}</td></tr>
`,
  )}</tbody>
</table>`;
}

/** The members of a body. Members of nested objects and lists have dotted names. */
export function membersOf(document: OpenApiDocument, given: JsonSchema, prefix = ""): Row[] {
  const schema = resolve<JsonSchema>(document, given);
  const inner = (schema.oneOf ?? schema.anyOf ?? []).flatMap((alternative) =>
    membersOf(document, alternative, prefix),
  );
  if (schema.items) inner.push(...membersOf(document, schema.items, `${prefix}[]`));
  const members = Object.entries(schema.properties ?? {}).flatMap(([member, written]) => {
    const name = prefix === "" ? member : `${prefix}.${member}`;
    const resolved = resolve<JsonSchema>(document, written);
    const row = { name, required: schema.required?.includes(member) ?? false, schema: resolved };
    return [row, ...membersOf(document, resolved, name)];
  });
  return [...members, ...inner];
}

function typeOf(schema: JsonSchema): string {
  if (schema.anyOf) return schema.anyOf.map(typeOf).join(" or ");
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(" or ");
  if (schema.items) return `list of ${typeOf(schema.items)}`;
  if (schema.format) return `${schema.type} (${schema.format})`;
  return schema.type ?? (schema.$ref ? "object" : "anything");
}

function notesOf({ minimum = 0, maximum, maxItems, items, ...schema }: JsonSchema, given?: string): string {
  const inner = schema.anyOf?.find((alternative) => alternative.description);
  const notes = [
    given ?? schema.description ?? inner?.description,
    maximum !== undefined && `${minimum} to ${maximum}`,
    maxItems !== undefined && `at most ${maxItems}`,
    items?.description && `each item: ${items.description}`,
    schema.default !== undefined && `default \`${schema.default}\``,
  ];
  return notes.flatMap((note) => (note ? [note.replace(/\.$/, "")] : [])).join("; ");
}

/** The target of a reference, or the value itself if it is not a reference. */
export function resolve<Thing>(document: OpenApiDocument, given: Thing | Reference | JsonSchema): Thing {
  const { $ref } = given as { $ref?: string };
  if ($ref === undefined) return given as Thing;
  const found = $ref
    .slice("#/".length)
    .split("/")
    .reduce<unknown>((object, name) => (object as Record<string, unknown>)[name], document);
  return found as Thing;
}
