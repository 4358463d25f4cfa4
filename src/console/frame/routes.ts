// Which view an address shows. The paths must be those of src/site/console/pages.ts; a test compares them.

export type Route =
  | {
      view:
        | "search"
        | "ask"
        | "documents"
        | "prompts"
        | "collections"
        | "add"
        | "activity"
        | "access"
        | "drafts";
    }
  | { view: "document" | "document-versions" | "prompt" | "prompt-versions" | "collection"; id: string }
  | { view: "unknown" };

const ID = "([0-9A-Za-z]{27})";
const PATTERNS: [RegExp, Exclude<Route["view"], "unknown">][] = [
  [/^\/console\/$/, "search"],
  [/^\/console\/ask$/, "ask"],
  [/^\/console\/documents$/, "documents"],
  [new RegExp(`^/console/documents/${ID}$`), "document"],
  [new RegExp(`^/console/documents/${ID}/versions$`), "document-versions"],
  [/^\/console\/prompts$/, "prompts"],
  [new RegExp(`^/console/prompts/${ID}$`), "prompt"],
  [new RegExp(`^/console/prompts/${ID}/versions$`), "prompt-versions"],
  [/^\/console\/collections$/, "collections"],
  [new RegExp(`^/console/collections/${ID}$`), "collection"],
  [/^\/console\/add$/, "add"],
  [/^\/console\/activity$/, "activity"],
  [/^\/console\/access$/, "access"],
  [/^\/console\/drafts$/, "drafts"],
];

/** The view of a path, with the id in it. */
export function routeOf(path: string): Route {
  for (const [pattern, view] of PATTERNS) {
    const found = pattern.exec(path);
    if (found) return { view, id: found[1] ?? "" } as Route;
  }
  return { view: "unknown" };
}

/** What a fragment of the address contains: a one-time code to sign in with, and the fragment of the view itself. */
export function readFragment(hash: string): { code: string | undefined; fragment: string } {
  const [, code, fragment = ""] = /^#signin=([\w-]+)(?:&(.*))?$/.exec(hash) ?? [];
  return code === undefined ? { code, fragment: hash.slice(1) } : { code, fragment };
}
