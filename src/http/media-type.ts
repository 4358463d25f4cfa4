// Parses media types (RFC 9110, 8.3.1) token by token: each expression starts at the end of the previous match and
// cannot match the same text in two ways, so any header is parsed in linear time.

export interface MediaType {
  /** `type/subtype` in lower case. */
  type: string;
  /** Names in lower case, values unquoted; a name may occur more than once. */
  parameters: [name: string, value: string][];
}

const TOKEN = /[!#$%&'*+.^_`|~0-9A-Za-z-]+/y;
const QUOTED = /"(?:[\t \x21\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\t \x21-\x7e\x80-\xff])*"/y;
const SPACE = /[\t ]*/y;
const SLASH = /\//y;
const SEMICOLON = /;/y;
const EQUALS = /=/y;

/** Parses a Content-Type header. Returns undefined for one that is malformed. */
export function parseMediaType(header: string): MediaType | undefined {
  let at = 0;
  const read = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const [text] = pattern.exec(header) ?? [];
    at += text?.length ?? 0;
    return text;
  };
  read(SPACE);
  const type = read(TOKEN);
  const subtype = read(SLASH) && read(TOKEN);
  if (!type || !subtype) return undefined;
  const parameters: MediaType["parameters"] = [];
  for (read(SPACE); at < header.length; read(SPACE)) {
    if (!read(SEMICOLON)) return undefined;
    read(SPACE);
    const name = read(TOKEN);
    if (name === undefined) continue;
    const value = read(EQUALS) && (read(TOKEN) ?? unquoted(read(QUOTED)));
    if (value === undefined) return undefined;
    parameters.push([name.toLowerCase(), value]);
  }
  return { type: `${type}/${subtype}`.toLowerCase(), parameters };
}

function unquoted(text: string | undefined): string | undefined {
  return text?.slice(1, -1).replace(/\\(.)/g, "$1");
}
