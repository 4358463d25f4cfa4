// The wire shape of a document's versions.

import { type Static, Type } from "@sinclair/typebox";
import type { Store } from "../../../db/store.ts";
import { pageParameters } from "../../../http/pagination.ts";
import { agent, count, id, instant, oneOf, text } from "../../../http/response-shapes.ts";
import { LIMITS } from "../../../kernel/limits.ts";
import { cutBytes, cutCharacters } from "../../../kernel/text.ts";
import { documentShape } from "../contract.ts";
import { readBody, type VersionRow } from "../store.ts";

export const listVersionsQuery = Type.Object(pageParameters(LIMITS.versions.defaultLimit));

const content = text("# Tea\n\nThe kettle whistles when the water boils.");

export const documentVersionShape = Type.Object(
  {
    id,
    versionId: id,
    documentId: id,
    version: count(0),
    title: documentShape.properties.title,
    content,
    contentHtml: documentShape.properties.contentHtml,
    preview: content,
    contentHash: documentShape.properties.contentHash,
    snapshotCompleteness: oneOf(["complete", "synthetic", "legacy_partial"]),
    actor: Type.Optional(
      Type.Object({
        kind: oneOf(["apiKey", "session", "machine"]),
        displayName: text("ada@example.org"),
        agent: Type.Optional(agent),
      }),
    ),
    origin: Type.Optional(text("create")),
    changeLog: Type.Optional(text("second edition")),
    userName: Type.Optional(text("ada@example.org")),
    createdAt: instant,
    createdBy: Type.Optional(text("ada@example.org")),
  },
  { $id: "DocumentVersion" },
);
type DocumentVersionOnWire = Static<typeof documentVersionShape>;

/** A version row. Its texts are read here, one row at a time, because a page may contain many large ones. */
export function versionToWire(store: Store, row: VersionRow): DocumentVersionOnWire {
  const text = (hash: string | null) => {
    const body = readBody(store, row.documentId, hash);
    return body === null ? undefined : cutBytes(body, LIMITS.versions.textBytes);
  };
  const content = text(row.contentHash) ?? "";
  const userName = row.actorName ?? undefined;
  return {
    id: row.id,
    versionId: row.id,
    documentId: row.documentId,
    version: row.version,
    title: row.title,
    content,
    contentHtml: text(row.contentHtmlHash),
    preview: cutCharacters(content, LIMITS.versions.previewCharacters),
    contentHash: row.contentHash,
    snapshotCompleteness: row.snapshotCompleteness,
    actor:
      row.actorKind === null
        ? undefined
        : { kind: row.actorKind, displayName: userName ?? "", agent: row.agent ?? undefined },
    origin: row.origin ?? undefined,
    changeLog: row.changeLog ?? undefined,
    userName,
    createdAt: row.createdAt,
    createdBy: userName,
  };
}
