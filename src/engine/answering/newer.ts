// When a document was written, as far as it tells: the latest date in its title, the first one in its headings, or one in its
// first lines that is said to be its own. It knows no clock.

import { isOwnDate, isPastEvent } from "../language/document-dates.ts";
import type { Evidence } from "./passages.ts";
import { type Value, valuesOf } from "../language/values.ts";

/** A number that is larger for later dates; undefined if the document states none. */
export function ageOf({
  title,
  path,
  opening,
}: Pick<Evidence, "title" | "path" | "opening">): number | undefined {
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
