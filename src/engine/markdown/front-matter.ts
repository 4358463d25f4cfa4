// Finds YAML front matter at the start of a text. It does not parse YAML.

/** A longer line is not a fence. */
const MAX_FENCE_UNITS = 80;

/**
 * Number of lines of front matter: from a first line `---` to the next such line, both included; 0 if there is none. As
 * in Pandoc, a blank second line makes the first one a thematic break. `starts` is the result of lineStarts.
 */
export function frontMatterLines(text: string, starts: Int32Array): number {
  const isFence = (line: number) => {
    const [start = 0, end = 0] = starts.subarray(line, line + 2);
    return (
      text.startsWith("---", start) &&
      end - start < MAX_FENCE_UNITS &&
      text.slice(start, end).trimEnd() === "---"
    );
  };
  const lines = starts.length - 1;
  if (!isFence(0) || text.slice(starts[1], starts[2]).trim() === "") return 0;
  for (let line = 1; line < lines; line++) if (isFence(line)) return line + 1;
  return 0;
}
