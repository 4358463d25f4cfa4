// The bytes of FTS5's leaf pages: terms in order, each followed by the list of rows that contain it. The format is
// described in the first comment of sqlite.org/src/file/ext/fts5/fts5_index.c.

/**
 * The first two bytes are the position of the first row id that begins on the page, the next two the end of the lists.
 */
const HEAD_BYTES = 4;
/** A longer variable-length integer may exceed 2^53. */
const MAX_INTEGER_BYTES = 7;

/**
 * The bytes are not what the format promises: they are damaged, or this SQLite stores the word index in another way.
 */
export class UnexpectedBytes extends Error {
  override readonly name = "UnexpectedBytes";
}

/** Throws UnexpectedBytes with what is wrong unless a condition holds. */
export function expectThat(holds: boolean, problem: string): asserts holds {
  if (!holds) throw new UnexpectedBytes(problem);
}

/** A run of bytes with the position of the next one to read. Reading past the end throws UnexpectedBytes. */
export class Bytes {
  constructor(
    readonly bytes: Uint8Array,
    public at: number,
  ) {}

  /** Reads a variable-length integer below 2^49 (sqlite.org/fileformat2.html, section 1.6). */
  integer(): number {
    const start = this.at;
    let byte = this.#next();
    let value = byte & 0x7f;
    while (byte & 0x80) {
      byte = this.#next();
      value = value * 128 + (byte & 0x7f);
    }
    expectThat(this.at - start <= MAX_INTEGER_BYTES, "an integer is too large");
    return value;
  }

  /** Skips variable-length integers. */
  skip(count: number): void {
    for (let left = count; left > 0; ) if (this.#next() < 0x80) left--;
  }

  #next(): number {
    const byte = this.bytes[this.at++];
    expectThat(byte !== undefined, "an integer continues after the end");
    return byte;
  }
}

/** Where a list, or a part of one, is on a leaf. */
export interface Place {
  from: number;
  to: number;
  /** Whether no term follows: then the list may continue on the next leaf. */
  isLast: boolean;
}

/** Where the lists of a leaf end, and the positions of its terms begin. */
function textEnd(leaf: Uint8Array): number {
  expectThat(leaf.length >= HEAD_BYTES, "a leaf has no head");
  const end = leaf[2]! * 256 + leaf[3]!;
  expectThat(end >= HEAD_BYTES && end <= leaf.length, "the lists of a leaf end outside of it");
  return end;
}

/**
 * The places of the lists of `target`, or of all terms that start with it. `isDone` says that later leaves contain no
 * more of these terms. Throws UnexpectedBytes.
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
  let length = 0;
  // The number of bytes that the term and the target have in common; terms ascend.
  let common = 0;
  for (let isFirst = true; offsets.at < leaf.length; isFirst = false) {
    const before = reader.at;
    start += offsets.integer();
    expectThat(start >= Math.max(HEAD_BYTES, before), "the terms of a leaf overlap");
    reader.at = start;
    const kept = isFirst ? 0 : reader.integer();
    const added = reader.integer();
    expectThat(kept <= length && added > 0, "a term of a leaf is not after the one before");
    length = kept + added;
    const suffix = reader.at;
    reader.at += added;
    expectThat(reader.at <= end, "a term of a leaf continues after the end");
    if (kept < common) return { places, isDone: true };
    if (kept === common) {
      while (common < target.length && common < length && leaf[suffix + common - kept] === target[common])
        common++;
      if (common < target.length && common < length && leaf[suffix + common - kept]! > target[common]!)
        return { places, isDone: true };
    }
    if (common < target.length) continue;
    if (!isPrefix && length > target.length) return { places, isDone: true };
    const isLast = offsets.at >= leaf.length;
    const to = isLast ? end : start + new Bytes(leaf, offsets.at).integer();
    places.push(placeOn(end, { from: reader.at, to, isLast }));
    if (!isPrefix) return { places, isDone: true };
  }
  return { places, isDone: false };
}

/** The part of a leaf that continues a list of an earlier leaf. Throws UnexpectedBytes. */
export function continuationOf(leaf: Uint8Array): Place {
  const end = textEnd(leaf);
  const isLast = end >= leaf.length;
  return placeOn(end, { from: HEAD_BYTES, to: isLast ? end : new Bytes(leaf, end).integer(), isLast });
}

function placeOn(end: number, place: Place): Place {
  expectThat(place.from <= place.to && place.to <= end, "a list is outside of its leaf");
  return place;
}

/**
 * The position of the first row id that begins on a leaf. Such an id is stored whole, not as a difference; 0 if there
 * is none.
 */
export function firstRowAt(leaf: Uint8Array): number {
  return leaf[0]! * 256 + leaf[1]!;
}
