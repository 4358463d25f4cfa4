// The wire shapes of requests about other servers.

import { type Static, Type } from "@sinclair/typebox";
import { oneOf } from "../../../http/response-shapes.ts";

const nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Union([schema, Type.Null()]);

const id = Type.String({ minLength: 1, maxLength: 200 });
const name = Type.String({ pattern: "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$" });
const linkId = Type.Integer({ minimum: 1 });
const stamp = nullable(Type.String({ maxLength: 100 }));
const revision = nullable(Type.Integer({ minimum: 0 }));
const object = Type.Record(Type.String(), Type.Unknown());

export const remoteBody = Type.Object({ name, url: Type.String({ minLength: 1, maxLength: 2_048 }) });

export const remoteQuery = Type.Object({ name });

export const endedBody = Type.Object({ remoteId: id, result: object });

export const findLinksBody = Type.Object({
  remoteId: id,
  side: oneOf(["own", "other"]),
  ids: Type.Array(id, { maxItems: 500 }),
});

export const pageOfLinksQuery = Type.Object({
  remoteId: id,
  after: Type.Integer({ minimum: 0, default: 0 }),
  limit: Type.Integer({ minimum: 1, maximum: 500, default: 500 }),
});

export const conflictsQuery = Type.Object({ name, after: Type.Integer({ minimum: 0, default: 0 }) });

const linkShape = Type.Object({
  /** Absent for a new one. */
  id: Type.Optional(linkId),
  kind: oneOf(["document", "prompt", "collection"]),
  ownId: nullable(id),
  otherId: nullable(id),
  ownStamp: stamp,
  otherStamp: stamp,
  ownRevision: revision,
  otherRevision: revision,
  base: object,
  conflict: nullable(object),
  gone: nullable(oneOf(["own", "other"])),
});
export type LinkToStore = Static<typeof linkShape>;

export const storeLinksBody = Type.Object({
  remoteId: id,
  links: Type.Array(linkShape, { maxItems: 100 }),
  removed: Type.Array(linkId, { maxItems: 500 }),
});

export const membersQuery = Type.Object({
  collection: linkId,
  after: Type.Integer({ minimum: 0, default: 0 }),
});

const links = Type.Array(linkId, { maxItems: 500 });
export const storeMembersBody = Type.Object({ collection: linkId, added: links, removed: links });
