// Hash and ETag of a document in the model, and what replies say of them.

import assert from "node:assert/strict";
import type { Reply } from "../../../test/helpers/start.ts";
import type { Document } from "./records.ts";

export const hashOf = (content: string): string =>
  `sha256:${new Bun.CryptoHasher("sha256").update(content).digest("hex")}`;

const stateOf = ({ revision, fields, status }: Document) => JSON.stringify([revision, fields, status]);
export const etagOf = (document: Document): string => document.etags.get(stateOf(document)) ?? '"unknown"';

/** Records the ETag of the current state, and checks the three headers of a document. */
export function learnHeaders(document: Document, { headers }: Reply): void {
  const etag = headers.get("etag");
  assert.match(etag ?? "", /^"[^"]+"$/, "the ETag is strong");
  const state = stateOf(document);
  for (const [other, known] of document.etags)
    assert.equal(known === etag, other === state, "an ETag names exactly one state");
  document.etags.set(state, etag!);
  assert.equal(headers.get("x-service-revision"), String(document.revision));
  assert.equal(headers.get("x-service-content-hash"), hashOf(document.fields.content));
}

/** Whether an `If-Match` header, if there is one, allows a write of the current state. */
export function matches(document: Document, ifMatch: string | undefined): boolean {
  if (ifMatch === undefined || ifMatch === "*") return true;
  return ifMatch.split(", ").includes(etagOf(document));
}
