// Records by what people call them: the one record that a name means, or why there is none. Commands and MCP tools
// share it; the names are looked up by src/retrieval/search/lists/named.ts.

export type NamedType = "document" | "prompt" | "collection";

export interface NamedRecord {
  id: string;
  type: NamedType;
  title: string;
  /** The path or URL from which the record was imported or scraped. */
  place: string | null;
}

export interface FoundNames {
  /** The records with this name, from the newest; more than one if the name is ambiguous. */
  matches: NamedRecord[];
  /** If there are none: records whose title or place contains the name. */
  similar: NamedRecord[];
}

/** The most records in each list of FoundNames. */
export const MAX_NAMED = 6;
const MAX_CANDIDATES = MAX_NAMED - 1;

interface Named {
  name: string;
  types: readonly NamedType[];
  found: FoundNames;
  /** Makes a text of a record fit for a line. */
  clean(text: string): string;
}

/** The one record with a name, or a message with at most five candidates, one a line. */
export function oneNamed({ name, types, found, clean }: Named): NamedRecord | string {
  const { matches, similar } = found;
  const [record, ...others] = matches;
  if (record !== undefined && others.length === 0) return record;
  const kinds = types.join(", ").replace(/, (?=\w+$)/, " or ");
  const message =
    record === undefined
      ? `no ${kinds} is called "${clean(name)}"`
      : `"${clean(name)}" names more than one ${kinds}: use an id`;
  const candidates = (record === undefined ? similar : matches).slice(0, MAX_CANDIDATES);
  const lines = candidates.map(({ id, type, title, place }) =>
    [id, type, clean(title), ...(place === null ? [] : [clean(place)])].join("  "),
  );
  return [message, ...lines].join("\n  ");
}
