// Divides a file of several documents into them. They are read one by one afterwards, each within its own limits.

import type { ContainerKind } from "../../../kernel/file-kinds.ts";
import { contentsOf } from "../errors.ts";
import type { UnpackedFile } from "./part.ts";

export interface ContainerSource {
  body: Uint8Array;
  kind: ContainerKind;
  /** Endings, in lower case, of the files that are read. */
  endings: readonly string[];
}

/** Divides a file. Throws ExtractionError; see its codes. */
export async function unpackFile({ body, kind, endings }: ContainerSource): Promise<UnpackedFile> {
  const known = new Set(endings);
  const isKnown = (name: string) => known.has(/\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? "");
  return contentsOf(async () => {
    switch (kind) {
      case "mailbox":
        return (await import("./mailbox.ts")).unpackMailbox(body);
      case "notes":
        return (await import("./notes.ts")).unpackNotes(body, isKnown);
      case "archive":
        return (await import("./export-archive.ts")).unpackExport(body, isKnown);
    }
  });
}
