// Links in a document to other documents: by the path of the file that they were imported from, or by title.

import { read, write } from "../api/request.ts";
import type { Imported, TitledRecord } from "../../features/console/replies.ts";
import { resolvePath } from "../../kernel/link-path.ts";
import { WIKI } from "../text/markdown-extensions.ts";

/** Where the links of a document start from. */
export interface LinkOrigin {
  /** The address of the document. */
  href: string;
  /** The path of the file that it was imported from. */
  importPath: string | undefined;
}

interface Target {
  link: HTMLAnchorElement;
  anchor: string;
}
type Targets = Map<string, Target[]>;

/** The API finds this many paths at once. */
const MAX_PATHS = 500;

/** Gives the links that the sanitiser has left without an address one inside the console, where there is one. */
export async function resolveLinks(container: Element, { href, importPath }: LinkOrigin): Promise<void> {
  const byTitle: Targets = new Map();
  const byPath: Targets = new Map();
  const add = (targets: Targets, key: string, link: Target) =>
    targets.set(key, [...(targets.get(key) ?? []), link]);
  for (const link of container.querySelectorAll<HTMLAnchorElement>("a[data-to]")) {
    const to = link.dataset.to ?? "";
    delete link.dataset.to;
    if (to.startsWith(WIKI)) {
      const [title = "", anchor = ""] = decode(to.slice(WIKI.length)).split("#", 2);
      add(byTitle, title.toLowerCase(), { link, anchor });
    } else if (to.startsWith("#")) link.setAttribute("href", href + to);
    else if (importPath !== undefined) {
      const target = resolvePath(importPath, to);
      if (target) add(byPath, target.path, { link, anchor: target.anchor });
    }
  }
  const point = (targets: Target[] | undefined, type: string, id: string) => {
    for (const { link, anchor } of targets ?? []) {
      link.setAttribute("href", `/console/${type}s/${id}${anchor === "" ? "" : `#${anchor}`}`);
    }
  };
  if (byPath.size > 0) {
    const body = { paths: [...byPath.keys()].slice(0, MAX_PATHS) };
    for (const { path, type, id } of await write<Imported[]>("POST", "/console/api/imported", { body })) {
      point(byPath.get(path), type, id);
    }
  }
  if (byTitle.size > 0) {
    // Newest first; the newest of several with one title is meant.
    for (const [type, id, title] of (await read<TitledRecord[]>("/console/api/titles")).toReversed()) {
      if (type !== "collection") point(byTitle.get(title.toLowerCase()), type, id);
    }
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
