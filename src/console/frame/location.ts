// The address of the page: which view is shown. Links are followed without loading the page again.

import { signal } from "@preact/signals";

/** The current address. */
export const here = signal(new URL(location.href));

/** Shows another view. `replace` leaves no entry in the history: for addresses that change while typing. */
export function go(path: string, { replace = false } = {}): void {
  const target = new URL(path, location.href);
  const isSamePage = target.pathname === here.value.pathname;
  try {
    history[replace ? "replaceState" : "pushState"](null, "", target);
  } catch {
    // Browsers limit changes of the address; Safari allows a hundred in half a minute of typing.
  }
  here.value = target;
  if (!isSamePage) scrollTo(0, 0);
}

/** Changes parameters of the current address; empty ones are removed. */
export function setParameters(parameters: Record<string, string>): void {
  const target = new URL(here.value);
  for (const [name, value] of Object.entries(parameters)) {
    if (value === "") target.searchParams.delete(name);
    else target.searchParams.set(name, value);
  }
  if (target.href !== here.value.href) go(target.href, { replace: true });
}

/** Follows the history and the links of the page. */
export function followLinks(): void {
  addEventListener("popstate", () => {
    here.value = new URL(location.href);
  });
  addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (link?.target !== "" || link.origin !== location.origin) return;
    if (!link.pathname.startsWith("/console/")) return;
    event.preventDefault();
    go(link.href);
  });
}
