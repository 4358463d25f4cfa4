// Which view an address shows. The paths must be those of src/site/console/pages.ts; a test compares them.

import type { Scope } from "../../auth/scopes.ts";

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
        | "machines"
        | "access"
        | "drafts"
        | "trash"
        | "tags"
        | "map";
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
  [/^\/console\/machines$/, "machines"],
  [/^\/console\/access$/, "access"],
  [/^\/console\/drafts$/, "drafts"],
  [/^\/console\/trash$/, "trash"],
  [/^\/console\/tags$/, "tags"],
  [/^\/console\/map$/, "map"],
];

/** The views of the navigation, each with the scopes of which one is needed to use it. */
const OFFERED: readonly (readonly [href: string, name: string, needed: readonly Scope[]])[] = [
  ["/console/", "Search", ["documents.read", "prompts.read"]],
  ["/console/ask", "Ask", ["documents.read"]],
  ["/console/documents", "Documents", ["documents.read"]],
  ["/console/prompts", "Prompts", ["prompts.read"]],
  ["/console/collections", "Collections", ["documents.read"]],
  ["/console/add", "Add", ["documents.write", "prompts.write"]],
  ["/console/activity", "Activity", ["documents.read", "prompts.read"]],
  ["/console/access", "Access", []],
];

type May = (scope: Scope) => boolean;

/** The address and name of the views that can be used. */
export function offeredViews(may: May): (readonly [href: string, name: string])[] {
  return OFFERED.filter(([, , needed]) => needed.length === 0 || needed.some(may)).map(([href, name]) => [
    href,
    name,
  ]);
}

/** The scopes of which one is missing to use the view of a path; undefined if it can be used. */
export function missingScopes(path: string, may: May): readonly Scope[] | undefined {
  const needed =
    OFFERED.findLast(([href]) => (href === "/console/" ? path === href : isBelow(path, href)))?.[2] ?? [];
  return needed.length === 0 || needed.some(may) ? undefined : needed;
}

/** Whether a path is that of a view, or of something in it. */
export const isBelow = (path: string, href: string) =>
  href === "/console/" ? path === href : path === href || path.startsWith(`${href}/`);

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
