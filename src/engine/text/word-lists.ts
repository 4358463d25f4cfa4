// Reads the word lists of words/: knowledge as data. Words are compared by their stems. It must not know what the lists mean.

/** Lines of a list without comments; a `#` starts a comment line. */
export function linesOf(list: string): string[] {
  return list.split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#"));
}

/** Groups separated by a mark, each as its words. */
export function groupsOf(list: string, mark: string): string[][] {
  return linesOf(list)
    .join(" ")
    .split(mark)
    .map((group) => group.trim().split(/\s+/))
    .filter(([first]) => first !== "");
}

/** For each word the other words of its groups. */
export function relationOf(
  groups: readonly (readonly string[])[],
  stem: (word: string) => string,
): Map<string, Set<string>> {
  const relation = new Map<string, Set<string>>();
  for (const group of groups) {
    const stems = group.map(stem);
    for (const one of stems) {
      const known = relation.get(one) ?? new Set();
      for (const other of stems) if (other !== one) known.add(other);
      relation.set(one, known);
    }
  }
  return relation;
}

/** The source of an expression that matches a word of a list, also with -s. `_` means a space. */
export const anyWordOf = (list: string): string =>
  `${oneOf(
    linesOf(list)
      .join(" ")
      .split(" ")
      .map((word) => word.replaceAll("_", " ")),
  )}s?`;

/** Alternatives by their first letters: trying hundreds of words at each place of a text takes too long. */
function oneOf(words: readonly string[]): string {
  const byLetter = [...Map.groupBy(words, (word) => word.slice(0, 1))].map(([letter, group]) => {
    const rest = group.map((word) => word.slice(1));
    return letter === "" ? "" : letter + (group.length > 1 ? oneOf(rest) : rest[0]);
  });
  return `(?:${byLetter.toSorted((a, b) => b.length - a.length).join("|")})`;
}
