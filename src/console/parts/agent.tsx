// Who did something: the name of a key or program, with a colour that is always the same for the same name.

import { hueOf } from "../text/format.ts";

/** Who wrote a version, as the server stores it. */
interface AuthorProps {
  /** The key and the program; absent for people and for keys without a name. */
  agent?: string | null;
  /** The name of the user. */
  name?: string | null;
  /** How the user was identified: `session`, `apiKey` or `machine`. */
  kind?: string | null;
}

/** The words for an author: `laptop, Claude Code`, `Ada`, `Ada with an API key`. */
export function nameOfAuthor({ agent, name, kind }: AuthorProps): string {
  if (agent) return agent.replace(/^key /, "");
  const user = name ?? "unknown";
  if (kind === "apiKey") return `${user} with an API key`;
  return kind === "machine" ? `${user} with a machine token` : user;
}

export function Author(props: AuthorProps) {
  const name = nameOfAuthor(props);
  return (
    <span class="author" title={props.agent && props.name ? `for ${props.name}` : undefined}>
      <span class="author-mark" aria-hidden="true" style={{ background: colourOfName(name) }} />
      {name}
    </span>
  );
}

/** The colour of an author, in the mark before the name and in pictures. */
export const colourOfAuthor = (author: AuthorProps) => colourOfName(nameOfAuthor(author));

/** Three shades, because hues alone are often alike. The contrast is 3:1 at least on the pages of both themes. */
const SHADES = [0.5, 0.57, 0.64];

/** Always the same for the same name. */
export const colourOfName = (name: string) =>
  `oklch(${SHADES[hueOf(`${name} shade`) % 3]} 0.14 ${hueOf(name)})`;
