// Where a found text is, as one line of a terminal.

import type { Place } from "../features/chunks/place.ts";

/** `kitchen/tea.md:12 › Tea > Boiling`, or the URL of a page; empty if nothing is known. */
export function describePlace({ path, url, anchor, heading, line }: Place = {}): string {
  const page = url !== undefined && anchor !== undefined ? `${url}#${anchor}` : url;
  const file = path === undefined ? page : line === undefined ? path : `${path}:${line}`;
  return [file, heading].filter((part) => part !== undefined).join(" › ");
}
