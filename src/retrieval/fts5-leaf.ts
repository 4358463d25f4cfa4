// The bytes of FTS5's leaf pages: terms in order, each followed by the list of rows that contain it. The format is described
// in the first comment of sqlite.org/src/file/ext/fts5/fts5_index.c. It must not know what is indexed.

/** The first two bytes are the position of the first row id that begins on the page, the next two the end of the lists. */
const HEAD_BYTES = 4;

/** A run of bytes with the position of the next one to read. */
export class Bytes {
  constructor(
    readonly bytes: Uint8Array,
    public at: number,
  ) {}

  /** Reads a variable-length integer below 2^53 (sqlite.org/fileformat2.html, section 1.6). */
  integer(): number {
    let byte = this.bytes[this.at++]!;
    let value = byte & 0x7f;
    while (byte & 0x80) {
      byte = this.bytes[this.at++]!;
      value = value * 128 + (byte & 0x7f);
    }
    return value;
  }

  /** Skips so many variable-length integers. */
  skip(count: number): void {
    for (let left = count; left > 0; ) if (this.bytes[this.at++]! < 0x80) left--;
  }
}

/** Where a list, or a part of one, is on a leaf. */
export interface Place {
  from: number;
  to: number;
  /** Whether no term follows: then the list may continue on the next leaf. */
  isLast: boolean;
}

const textEnd = (leaf: Uint8Array) => leaf[2]! * 256 + leaf[3]!;

/**
 * The places of the lists of `target`, or of all terms that start with it. `isDone` says that later leaves contain no more
 * of these terms.
 */
export function findTerms(
  leaf: Uint8Array,
  target: Uint8Array,
  isPrefix: boolean,
): { places: Place[]; isDone: boolean } {
  const places: Place[] = [];
  const end = textEnd(leaf);
  const offsets = new Bytes(leaf, end);
  const reader = new Bytes(leaf, 0);
  let start = 0;
  // The number of bytes that the term and the target have in common; terms ascend.
  let common = 0;
  for (let isFirst = true; offsets.at < leaf.length; isFirst = false) {
    start += offsets.integer();
    reader.at = start;
    const kept = isFirst ? 0 : reader.integer();
    const added = reader.integer();
    const from = reader.at + added;
    if (kept < common) return { places, isDone: true };
    if (kept === common) {
      const suffix = reader.at - kept;
      while (common < target.length && common < kept + added && leaf[suffix + common] === target[common])
        common++;
      if (common < target.length && common < kept + added && leaf[suffix + common]! > target[common]!)
        return { places, isDone: true };
    }
    if (common < target.length) continue;
    if (!isPrefix && kept + added > target.length) return { places, isDone: true };
    const isLast = offsets.at >= leaf.length;
    const to = isLast ? end : start + new Bytes(leaf, offsets.at).integer();
    places.push({ from, to, isLast });
    if (!isPrefix) return { places, isDone: true };
  }
  return { places, isDone: false };
}

/** The part of a leaf that continues a list of an earlier leaf. */
export function continuationOf(leaf: Uint8Array): Place {
  const end = textEnd(leaf);
  const isLast = end >= leaf.length;
  return { from: HEAD_BYTES, to: isLast ? end : new Bytes(leaf, end).integer(), isLast };
}

/** The position of the first row id that begins on a leaf. Such an id is stored whole, not as a difference; 0 if there is none. */
export function firstRowAt(leaf: Uint8Array): number {
  return leaf[0]! * 256 + leaf[1]!;
}
