// Building blocks for describing the success responses of operations: schemas with examples, and the usual envelopes.

import { type SchemaOptions, type TObject, type TSchema, Type } from "@sinclair/typebox";
import { ID_PATTERN } from "../kernel/ids.ts";

/** One success response of an operation. */
export interface ResponseShape {
  /** Absent if the response has no body. */
  body?: TSchema;
  /** The response's own headers, without those that every response has. A header that can be missing is optional. */
  headers?: TObject;
}

/** A public GET path outside `/v1`: part of the document, but not an operation of the API. */
export interface PublicPath {
  /** Unique among operations and public paths, `group.verb`. */
  name: string;
  path: string;
  summary: string;
  description: string;
  responses: Readonly<Record<number, ResponseShape>>;
}

const ID = "2yGqQzDbdVZNFCVpSyVEFDUUbZ5";

/** The id of a record. */
export const id = Type.String({ pattern: ID_PATTERN.source, examples: [ID] });
/** A point in time, in epoch milliseconds. */
/** Where a found text is. Only what is known is sent. */
export const place = Type.Optional(
  Type.Partial(
    Type.Object({
      path: Type.String({
        description: "Path of the imported file, relative to the folder that was imported.",
        examples: ["kitchen/tea.md"],
      }),
      url: Type.String({ description: "URL of the page.", examples: ["https://example.org/tea"] }),
      heading: Type.String({
        description: "The headings above the text, joined with ` > `.",
        examples: ["Tea"],
      }),
      anchor: Type.String({
        description: "The id of the innermost heading in the page: `url#anchor` leads to it.",
        examples: ["tea"],
      }),
      line: Type.Integer({
        minimum: 1,
        description: "The line of the document's `content` on which the text starts.",
        examples: [3],
      }),
    }),
  ),
);

/** In `meta` of searches and answers. */
export const pending = Type.Optional(
  Type.Integer({
    minimum: 0,
    description:
      "Number of the caller's records that are not completely indexed yet, so that results may be incomplete. Omitted if 0.",
    examples: [12],
  }),
);

export const instant = Type.Integer({
  minimum: 0,
  description: "Epoch milliseconds.",
  examples: [1796030400000],
});
/** Who acted for the user. */
export const agent = Type.String({
  description: "The label of the API key and the program that wrote the version, as far as they are known.",
  examples: ["key laptop, claude-code"],
});
/** A similarity score. */
export const score = Type.Number({ minimum: 0, maximum: 1, examples: [0.82] });

/** A string with an example. */
export const text = (example: string) => Type.String({ examples: [example] });
/** A boolean with an example. */
export const flag = (example: boolean) => Type.Boolean({ examples: [example] });
/** A non-negative integer with an example. */
export const count = (example: number) => Type.Integer({ minimum: 0, examples: [example] });
/** A list of strings; the arguments are its example. */
export const texts = (...example: string[]) => Type.Array(Type.String(), { examples: [example] });
/** An object with arbitrary members. */
export const anyObject = (example: Record<string, unknown>) =>
  Type.Record(Type.String(), Type.Unknown(), { examples: [example] });
/** The metadata of a list item. */
export const listedMetadata = Type.Optional(
  Type.Record(Type.String(), Type.Unknown(), { description: "Only with `includeMetadata=true`." }),
);
/** One of a fixed set of strings. */
export const oneOf = <const Name extends string>(names: readonly Name[], options?: SchemaOptions) =>
  Type.Union(
    names.map((name) => Type.Literal(name)),
    options,
  );
/** The schema, or null. */
export const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** A response whose body has the given schema under `data`. */
export function dataOf(data: TSchema, headers?: TObject): ResponseShape {
  return { body: Type.Object({ data }), headers };
}

/** A response with one page of a list. */
export function pageShape(item: TSchema): ResponseShape {
  const pagination = Type.Object(
    {
      cursor: Type.String({
        description: "Send it as `cursor` to get the next page. Empty on the last page.",
        examples: [""],
      }),
      hasMore: Type.Boolean({ description: "Whether there is another page.", examples: [false] }),
    },
    { $id: "Pagination" },
  );
  return { body: Type.Object({ data: Type.Array(item), pagination }) };
}

/** The response to a deletion. */
export const deletion: ResponseShape = { body: Type.Object({ success: Type.Literal(true), id }) };

/** The `Location` header of a created record; `path` contains `:id`. */
export const location = (path: string) =>
  Type.Object({
    Location: Type.String({ description: "Path of the record.", examples: [path.replace(":id", ID)] }),
  });

/** In rows of searches: the status of a record that comes last because it is archived. */
export const archivedStatus = Type.Optional(
  Type.Literal("archived", { description: "Present if the record is archived; such records come last." }),
);
