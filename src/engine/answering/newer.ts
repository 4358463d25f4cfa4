// When a document was written, as far as it tells: the latest date in its title, headings or first lines. It knows no clock.

import type { Evidence } from "./passages.ts";
import { valuesOf } from "../language/values.ts";

/** A number that is larger for later dates; undefined if the document states none. */
export function ageOf({
  title,
  path,
  opening,
}: Pick<Evidence, "title" | "path" | "opening">): number | undefined {
  for (const text of [title, path.join("\n"), opening]) {
    const found = valuesOf(text).flatMap(({ sort, key }) => {
      if (sort === "year") return [dayOf(key)];
      const [day = "", month = "", year = ""] = key.split(" ");
      return sort === "date" && year !== "" ? [dayOf(year, month, day)] : [];
    });
    // Later dates in the text may be deadlines: only the first counts there.
    const [first] = found;
    if (first !== undefined) return text === title ? Math.max(...found) : first;
  }
  return undefined;
}

const dayOf = (year: string, month = "0", day = "0") => Number(year) * 372 + Number(month) * 31 + Number(day);
