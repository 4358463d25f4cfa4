// Reads the word lists of words/: knowledge as data. Words are compared by their stems.

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
