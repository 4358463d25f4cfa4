// Reads the parts of a ZIP archive. What they unpack to is counted while it is unpacked: the sizes in the archive's
// directory are whatever its author wrote, and a small archive can contain gigabytes.

import JSZip from "jszip";
import { ExtractionError } from "../errors.ts";

const MB = 1024 ** 2;
/** Maximum size of all parts together that are read. */
const MAX_UNPACKED_BYTES = 96 * MB;

/** Maximum number of times that parts are read, for archives that refer to one part again and again. */
const MAX_READS = 50_000;

/** The error of a file that has more of something than is read. */
export const tooMany = (maximum: number, what: string) =>
  new ExtractionError("TOO_LARGE", `the file has more than ${maximum.toLocaleString("en")} ${what}`);

export interface Archive {
  /** The names of all parts, in the order of the archive. */
  names: string[];
  has(name: string): boolean;
  /**
   * The contents of a part. Throws ExtractionError("TOO_LARGE") if the parts that were read are too large together, and
   * an Error if this one is damaged.
   */
  read(name: string): Promise<Uint8Array>;
}

/** Opens an archive without unpacking anything. Throws an Error if it is damaged. */
export async function openArchive(bytes: Uint8Array): Promise<Archive> {
  const zip = await JSZip.loadAsync(bytes);
  let [unpackedBytes, reads] = [0, 0];
  return {
    names: Object.keys(zip.files),
    has: (name) => zip.file(name) !== null,
    async read(name) {
      const part = zip.file(name);
      if (!part) throw new Error(`the archive has no part ${name}`);
      if (++reads > MAX_READS) throw tooMany(MAX_READS, "parts");
      const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
      const chunks: Buffer[] = [];
      const stream = part.nodeStream();
      stream.on("data", (chunk: Buffer) => {
        unpackedBytes += chunk.length;
        chunks.push(chunk);
        if (unpackedBytes <= MAX_UNPACKED_BYTES) return;
        stream.pause();
        chunks.length = 0;
        reject(
          new ExtractionError("TOO_LARGE", `the file unpacks to more than ${MAX_UNPACKED_BYTES / MB} MB`),
        );
      });
      stream.on("error", reject);
      stream.on("end", () => resolve(Buffer.concat(chunks)));
      return promise;
    },
  };
}
