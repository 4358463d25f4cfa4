// One line of a .gitignore file, as Git reads it (https://git-scm.com/docs/gitignore). The lines of a folder that
// somebody else made may be built to be slow: comparing takes at most the product of both lengths, without regular
// expressions. Must run in a browser, too.

export interface IgnorePattern {
  /** Whether a match includes the path again that an earlier line left out. */
  isNegated: boolean;
  /** Whether it matches this path, relative to the folder of the file, with slashes. */
  matches(path: string, isFolder: boolean): boolean;
}

/** Any number of folders: `**` between slashes. */
const FOLDERS = Symbol("folders");
/** Any number of characters of a name: `*`. */
const ANY = Symbol("any");

type Token = typeof ANY | ((character: string) => boolean);
type Segment = typeof FOLDERS | Token[];

/**
 * The pattern of a line; undefined for a line without one, and for one that matches nothing. `ignoresCase` is true
 * where the file system does not distinguish upper and lower case.
 */
export function parsePattern(line: string, ignoresCase: boolean): IgnorePattern | undefined {
  const cased = (given: string) => (ignoresCase ? given.toLowerCase() : given);
  if (line.startsWith("#")) return undefined;
  const isNegated = line.startsWith("!");
  const text = cased(withoutTrailingSpaces(isNegated ? line.slice(1) : line));
  const isForFolders = text.endsWith("/");
  const body = isForFolders ? text.slice(0, -1) : text;
  // A slash binds the pattern to the folder of the file, except at its end.
  const isBound = body.includes("/");
  const names = namesOf(body.startsWith("/") ? body.slice(1) : body);
  if (!names || names.includes("")) return undefined;
  const segments: Segment[] = isBound ? [] : [FOLDERS];
  for (const [index, name] of names.entries()) {
    if (name !== "**" || !isBound) {
      const tokens = tokensOf(name);
      if (!tokens) return undefined;
      segments.push(tokens);
    } else if (index === names.length - 1) segments.push(FOLDERS, [ANY]);
    else segments.push(FOLDERS);
  }
  return {
    isNegated,
    matches: (path, isFolder) => (isFolder || !isForFolders) && matchPath(segments, cased(path).split("/")),
  };
}

/** A backslash before a space keeps it. */
function withoutTrailingSpaces(text: string): string {
  let end = text.length;
  while (text[end - 1] === " ") end--;
  let backslashes = 0;
  while (text[end - 1 - backslashes] === "\\") backslashes++;
  return text.slice(0, end < text.length && backslashes % 2 === 1 ? end + 1 : end);
}

/**
 * The parts of a pattern between slashes; undefined if it has an open bracket. A slash in brackets separates no parts.
 */
function namesOf(body: string): string[] | undefined {
  const characters = [...body];
  const names = [""];
  for (let at = 0; at < characters.length; at++) {
    const end = characters[at] === "[" ? bracketAt(characters, at)?.end : at;
    if (end === undefined) return undefined;
    if (characters[at] === "/" || (characters[at] === "\\" && characters[at + 1] === "/")) {
      if (characters[at] === "\\") at++;
      names.push("");
      continue;
    }
    const isEscape = characters[at] === "\\" && at + 1 < characters.length;
    const last = isEscape ? at + 1 : end;
    names[names.length - 1] += characters.slice(at, last + 1).join("");
    at = last;
  }
  return names;
}

/** The tokens of a name; undefined if it has an open bracket or ends with a backslash: Git matches nothing then. */
function tokensOf(name: string): Token[] | undefined {
  const characters = [...name];
  const tokens: Token[] = [];
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at]!;
    if (character === "*") {
      if (tokens.at(-1) !== ANY) tokens.push(ANY);
    } else if (character === "?") tokens.push(() => true);
    else if (character === "[") {
      const found = bracketAt(characters, at);
      if (!found) return undefined;
      tokens.push(found.token);
      at = found.end;
    } else {
      const literal = character === "\\" ? characters[++at] : character;
      if (literal === undefined) return undefined;
      tokens.push((other) => other === literal);
    }
  }
  return tokens;
}

/** Classes of ASCII characters inside of brackets; letters were made lower case. */
const CLASSES: Readonly<Record<string, RegExp>> = {
  alnum: /^[0-9a-z]$/,
  alpha: /^[a-z]$/,
  blank: /^[ \t]$/,
  digit: /^[0-9]$/,
  lower: /^[a-z]$/,
  punct: /^[!-/:-@[-`{-~]$/,
  space: /^\s$/,
  upper: /^[a-z]$/,
  xdigit: /^[0-9a-f]$/,
};

/** The characters in brackets, from the opening one; undefined if they are not closed. */
function bracketAt(characters: readonly string[], start: number): { token: Token; end: number } | undefined {
  let at = start + 1;
  const isNegated = characters[at] === "!" || characters[at] === "^";
  if (isNegated) at++;
  const first = at;
  const tests: ((character: string) => boolean)[] = [];
  for (; at === first || characters[at] !== "]"; at++) {
    if (at >= characters.length) return undefined;
    const named = /^\[:(\w+):\]/.exec(characters.slice(at, at + 12).join(""));
    if (named) {
      const class_ = CLASSES[named[1]!];
      if (!class_) return undefined;
      tests.push((character) => class_.test(character));
      at += named[0].length - 1;
      continue;
    }
    if (characters[at] === "\\") at++;
    const from = characters[at];
    let to = from;
    if (characters[at + 1] === "-" && characters[at + 2] !== "]") {
      at += characters[at + 2] === "\\" ? 3 : 2;
      to = characters[at];
    }
    if (from === undefined || to === undefined) return undefined;
    tests.push((character) => from <= character && character <= to);
  }
  return { token: (character) => tests.some((test) => test(character)) !== isNegated, end: at };
}

/**
 * Goes back only to the last `**`: whatever the ones before it took, they could have taken no less. Takes the product
 * of the numbers of segments.
 */
function matchPath(segments: readonly Segment[], names: readonly string[]): boolean {
  return matchGreedily(segments, names, {
    isWildcard: (segment) => segment === FOLDERS,
    matches: (segment, name) =>
      matchGreedily(segment as Token[], [...name], {
        isWildcard: (token) => token === ANY,
        matches: (token, character) => (token as (character: string) => boolean)(character),
      }),
  });
}

interface Rules<Part, Item> {
  /** Whether a part stands for any number of items. */
  isWildcard(part: Part): boolean;
  /** Whether any other part stands for this item. */
  matches(part: Part, item: Item): boolean;
}

function matchGreedily<Part, Item>(
  parts: readonly Part[],
  items: readonly Item[],
  { isWildcard, matches }: Rules<Part, Item>,
): boolean {
  let [part, item] = [0, 0];
  /** The last wildcard, and the first item after those that it matches. */
  let [wildcard, taken] = [-1, 0];
  while (item < items.length) {
    if (part < parts.length && isWildcard(parts[part]!)) {
      wildcard = part++;
      taken = item;
    } else if (part < parts.length && matches(parts[part]!, items[item]!)) {
      part++;
      item++;
    } else if (wildcard >= 0) {
      part = wildcard + 1;
      item = ++taken;
    } else return false;
  }
  while (part < parts.length && isWildcard(parts[part]!)) part++;
  return part === parts.length;
}
