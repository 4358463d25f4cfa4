// Imports a file of several documents: a mailbox, an export of notes, or an archive. Each of them is a record, whose
// path is below that of the file.

import { NO_EXPORT, type Part } from "../../engine/extraction/containers/part.ts";
import { maxBytesOf, OTHER_TYPE, tooLarge, typeOf } from "../../importing/file-types.ts";
import { importRecord, type Outcome } from "../../importing/import-record.ts";
import { recordOf } from "../../importing/record.ts";
import { describeLeftOut } from "../../kernel/left-out.ts";
import { sha256Hex } from "../../kernel/hash.ts";
import type { ContainerKind } from "../../kernel/file-kinds.ts";
import type { FoundFile, FoundFiles } from "./find-files.ts";
import { type Importer, reasonOf } from "./import-file.ts";
import { findMoves } from "./moves.ts";

/** The outcome of a part, and the thread that it belongs to. */
export interface PartOutcome extends Outcome {
  thread?: string;
}

interface Import {
  importer: Importer;
  /** Learns which parts there are, or that the file could not be read. */
  found: FoundFiles;
  signal: AbortSignal;
}

/**
 * Imports the parts of a file one after the other. What is wrong with it or with a part is a status. Throws a Failure
 * if the database cannot be written.
 */
export async function* importParts(
  { path, root }: FoundFile,
  kind: ContainerKind,
  { importer, found, signal }: Import,
): AsyncGenerator<PartOutcome> {
  const { reader, tags } = importer;
  const unpacked = await (async () => reader.unpack(kind, reader.read(path).bytes))().catch((error) => {
    const reason = reasonOf(error);
    // Archives of other kinds may be in any folder.
    const isOther = root.isFolder && reason === NO_EXPORT;
    if (!isOther) found.failed.push({ path, reason });
    return { path, status: isOther ? "skipped" : "failed", reason } as const;
  });
  if ("status" in unpacked) return yield unpacked;
  const pathOf = (part: string) => `${path}/${part}`;
  const hashes = new Map(unpacked.parts.map((part) => [pathOf(part.path), hashOf(part)]));
  found.unpacked.set(path, [...hashes.keys()]);
  const files = unpacked.parts.map((part) => ({ path: pathOf(part.path), root }));
  const read = (part: string) => ({ bytes: new Uint8Array(), hash: hashes.get(part)! });
  const moves = findMoves({ known: importer.known, reader: { read } }, { ...found, files });
  for (const part of unpacked.parts) {
    if (signal.aborted) return;
    const place = pathOf(part.path);
    const describe = async () => {
      if (part.body.length > maxBytesOf(typeOf(place))) throw tooLarge(maxBytesOf(typeOf(place)));
      const text = await reader.textOf(place, part.body, { isPart: true });
      const record = await recordOf(text, [...tags, ...(part.tags ?? [])]);
      const lost = describeLeftOut(part.leftOut ?? []);
      const notes = lost === undefined ? record.notes : [...record.notes, lost];
      return { ...record, notes, leftOut: [...record.leftOut, ...(part.leftOut ?? [])] };
    };
    const file = {
      path: place,
      root: root.isFolder ? root.path : undefined,
      movedFrom: moves.get(place),
      read: async () => ({ hash: hashes.get(place)!, describe }),
    };
    const outcome = await importRecord(importer, file).catch((error) => {
      return { path: place, status: "failed", reason: reasonOf(error) } as const;
    });
    yield { ...outcome, thread: part.thread };
  }
  for (const other of unpacked.others) yield { path: pathOf(other), status: "skipped", reason: OTHER_TYPE };
}

/** The digest of a part with its tags. */
const hashOf = ({ body, tags = [] }: Part) =>
  `sha256:${sha256Hex(tags.length === 0 ? body : Buffer.concat([body, Buffer.from(`\0${tags.join("\0")}`)]))}`;
