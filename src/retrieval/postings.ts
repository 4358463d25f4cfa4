// Where the word index holds a term: read term by term, kept from one search to the next. It knows ordinals of the live
// index, and no score.

import type { Database } from "bun:sqlite";
import type { LiveView } from "./live-index.ts";
import type { QueryTerm } from "./words.ts";

/** The live chunks of a user that hold a term, ordinals rising, and how often they do. */
export interface Postings {
  ordinals: Uint32Array;
  /** At most 255; an occurrence in title or heading counts CONTEXT_WEIGHT times. */
  frequencies: Uint8Array;
}

export interface PostingsReader {
  /** In how many chunks of everybody's a term stands. */
  holding(term: QueryTerm): number;
  /** Undefined for a term that stands in more places than are looked at. Call it inside the view's transaction. */
  find(view: LiveView, term: QueryTerm): Postings | undefined;
}

/** A word in title or heading counts as so many in the text. */
const CONTEXT_WEIGHT = 2;

/** A term that stands in more places than this, in everybody's texts, takes no part: 30,000 places take the first who asks 2 ms. */
const MAX_PLACES = 1_000_000;

/** Postings kept as long as the index stays as it is: 5 bytes each. */
const MAX_KEPT = 4_000_000;

interface Row {
  /** A chunk's key twice, plus 1 where the occurrence is in title or heading; joined by commas, in the order of keys. */
  places: string | null;
  count: number;
}

export function openPostings(database: Database): PostingsReader {
  database.run("CREATE VIRTUAL TABLE temp.word_places USING fts5vocab (main, chunk_words, 'instance')");
  database.run("CREATE VIRTUAL TABLE temp.word_counts USING fts5vocab (main, chunk_words, 'row')");
  const countOf = database.query<{ doc: number }, [string]>(
    "SELECT doc FROM temp.word_counts WHERE term = ?",
  );
  // One string of numbers takes half the time of as many rows.
  const select = (from: string) => `SELECT group_concat(place) AS places, count(*) AS count FROM (
    SELECT doc * 2 + (col = 'context') AS place FROM temp.word_places WHERE ${from})`;
  const whole = database.query<Row, [string, number]>(select("term = ? LIMIT ?"));
  // Several words may have one beginning.
  const beginning = database.query<Row, [string, string, number]>(
    select("term >= ? AND term < ? ORDER BY place LIMIT ?"),
  );
  const read = (view: LiveView, { kind, text }: QueryTerm): Postings | undefined => {
    const row =
      kind === "beginning"
        ? beginning.get(text, `${text}\u{10ffff}`, MAX_PLACES)
        : whole.get(text, MAX_PLACES);
    const { places, count } = row!;
    return count < MAX_PLACES ? postingsOf(view, places ?? "") : undefined;
  };
  let kept = new Map<string, Postings>();
  let keptCount = 0;
  let keptOf: unknown;
  return {
    holding: ({ kind, text }) => (kind === "beginning" ? 0 : (countOf.get(text)?.doc ?? 0)),
    find(view, term) {
      // A list of segments is made anew whenever one of the user's generations comes or goes.
      if (keptOf !== view.segments || keptCount > MAX_KEPT) {
        kept = new Map();
        keptCount = 0;
        keptOf = view.segments;
      }
      const name = `${term.kind} ${term.text}`;
      const known = kept.get(name);
      if (known) return known;
      const postings = read(view, term);
      if (!postings) return undefined;
      kept.set(name, postings);
      keptCount += postings.ordinals.length;
      return postings;
    },
  };
}

function postingsOf(view: LiveView, places: string): Postings {
  const { segments } = view;
  const ordinals = new Uint32Array(Math.ceil(places.length / 2));
  const frequencies = new Uint8Array(ordinals.length);
  let count = 0;
  let at = 0;
  let place = 0;
  for (let i = 0; i <= places.length && places.length > 0; i++) {
    const digit = places.charCodeAt(i) - 48;
    if (digit >= 0) {
      place = place * 10 + digit;
      continue;
    }
    const key = Math.floor(place / 2);
    const frequency = place % 2 === 1 ? CONTEXT_WEIGHT : 1;
    place = 0;
    while (at < segments.length && segments[at].firstChunk + segments[at].chunkCount <= key) at++;
    if (at === segments.length) break;
    const { firstChunk, firstOrdinal } = segments[at];
    if (key < firstChunk) continue;
    const ordinal = firstOrdinal + key - firstChunk;
    if (count === 0 || ordinals[count - 1] !== ordinal) ordinals[count++] = ordinal;
    frequencies[count - 1] = Math.min(255, frequencies[count - 1] + frequency);
  }
  return { ordinals: ordinals.slice(0, count), frequencies: frequencies.slice(0, count) };
}
