// Building blocks for the shapes of success responses: bodies and headers, each with an example. Independent of resources.

import { type SchemaOptions, type TObject, type TSchema, Type } from "@sinclair/typebox";
import { ID_PATTERN } from "../kernel/ids.ts";

/** One success response of an operation. */
export interface AnswerShape {
  /** Absent if the response has no body. */
  body?: TSchema;
  /** The response's own headers, in addition to those of the edge; one that can be missing is optional. */
  headers?: TObject;
}

const ID = "2yGqQzDbdVZNFCVpSyVEFDUUbZ5";

/** An identifier of this server. */
export const id = Type.String({ pattern: ID_PATTERN.source, examples: [ID] });
/** A time, in epoch milliseconds. */
export const instant = Type.Integer({
  minimum: 0,
  description: "Epoch milliseconds.",
  examples: [1796030400000],
});
/** A similarity. */
export const score = Type.Number({ minimum: 0, maximum: 1, examples: [0.82] });

export const text = (example: string) => Type.String({ examples: [example] });
export const flag = (example: boolean) => Type.Boolean({ examples: [example] });
/** A non-negative integer. */
export const count = (example: number) => Type.Integer({ minimum: 0, examples: [example] });
export const texts = (...example: string[]) => Type.Array(Type.String(), { examples: [example] });
/** An object with arbitrary members. */
export const anyObject = (example: Record<string, unknown>) =>
  Type.Record(Type.String(), Type.Unknown(), { examples: [example] });
export const oneOf = <const Name extends string>(names: readonly Name[], options?: SchemaOptions) =>
  Type.Union(
    names.map((name) => Type.Literal(name)),
    options,
  );
export const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);

/** The payload under `data`. */
export function dataOf(data: TSchema, headers?: TObject): AnswerShape {
  return { body: Type.Object({ data }), headers };
}

/** One page of a list. */
export function pageShape(item: TSchema): AnswerShape {
  const pagination = Type.Object({ cursor: text(""), hasMore: flag(false) }, { $id: "Pagination" });
  return { body: Type.Object({ data: Type.Array(item), pagination }) };
}

/** The acknowledgement of a deletion. */
export const deletion: AnswerShape = { body: Type.Object({ success: Type.Literal(true), id }) };

/** The Location header of a new record. */
export const location = (path: string) => Type.Object({ Location: text(path.replace(":id", ID)) });
