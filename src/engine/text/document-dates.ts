// When a document was written, as far as it tells: the latest date in its title, the first one in its headings, or one
// in its first lines that is said to be its own. It reads English.

import { type Value, valuesOf } from "./values.ts";

interface Beginning {
  title: string;
  /** Headings from the outermost down. */
  path: readonly string[];
  /** The first lines. */
  opening: string;
}

/** A number that is larger for later dates; undefined if the document states none. */
export function ageOf({ title, path, opening }: Beginning): number | undefined {
  const days = (text: string, isMeant: (value: Value) => boolean) =>
    valuesOf(text).flatMap((value) => {
      const [day = "", month = "", year = ""] =
        value.sort === "year" ? ["0", "0", value.key] : value.key.split(" ");
      const isDate = value.sort === "year" || (value.sort === "date" && year !== "");
      return isDate && isMeant(value) ? [Number(year) * 372 + Number(month) * 31 + Number(day)] : [];
    });
  const inHeading = (text: string) => days(text, (value) => !isPastEvent(text, value));
  const inTitle = inHeading(title);
  if (inTitle.length > 0) return Math.max(...inTitle);
  return inHeading(path.join("\n"))[0] ?? days(opening, (value) => isOwnDate(opening, value))[0];
}

type Place = Pick<Value, "start" | "end">;

const MARK =
  /\b(?:as of|version|edition|release|updat(?:e|ed)|chang(?:e|ed)|revis(?:ion|ed)|modified|valid|effective|in force|issued|published|printed|written|dated?|status)\b(?:[^.;\n]|\.\d){0,20}$/i;
const EVENT =
  /\b(?:since|found(?:ed|ation)|established|built|born|opened|history|dates? from|deadline)\b[^.;\n]{0,20}$|\b(?:until|till|by|before) $/i;
const MAX_WORDS = 6;

const lineBefore = (text: string, { start }: Place) =>
  text.slice(text.lastIndexOf("\n", start - 1) + 1, start);

/** Whether a date is that of an event, as in `founded in 1952`, or a deadline. */
const isPastEvent = (text: string, place: Place): boolean => EVENT.test(lineBefore(text, place));

/** Whether a date is said to be that of the document, or ends a short line that is no sentence. */
function isOwnDate(text: string, place: Place): boolean {
  const before = lineBefore(text, place);
  if (EVENT.test(before)) return false;
  const endsLine = /^[^\p{L}\p{N}.\n]*(?:\n|$)/u.test(text.slice(place.end));
  return MARK.test(before) || (endsLine && before.trim().split(/\s+/).length <= MAX_WORDS);
}
