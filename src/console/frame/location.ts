// The address of the page: which view is shown, and where it is scrolled to. Links are followed without loading the
// page again, and going back shows the same place.

import { signal } from "@preact/signals";
import { rememberPath } from "./recent.ts";
import { now } from "../text/format.ts";

/** The current address. */
export const here = signal(new URL(location.href));

/** How far each entry of the history was scrolled, pixels, by the name of the entry. */
const scrolled = new Map<string, number>();
const MAX_ENTRIES = 200;
/** A view that is read again may take a while until it is as long as it was. */
const MAX_RESTORE_MS = 3_000;

const entryName = () => (history.state as { entry?: string } | null)?.entry ?? "";
let entry = "";
let hasArrived = false;

function rememberScroll(): void {
  scrolled.delete(entry);
  scrolled.set(entry, scrollY);
  const [oldest] = scrolled.keys();
  if (scrolled.size > MAX_ENTRIES && oldest !== undefined) scrolled.delete(oldest);
}

/** Shows another view. `replace` leaves no entry in the history: for addresses that change while typing. */
export function go(path: string, { replace = false } = {}): void {
  const target = new URL(path, location.href);
  const isSamePage = target.pathname === here.value.pathname;
  if (!replace) rememberScroll();
  const next = replace ? entry : crypto.randomUUID();
  try {
    history[replace ? "replaceState" : "pushState"]({ entry: next }, "", target);
    entry = next;
  } catch {
    // Browsers limit changes of the address; Safari allows a hundred in half a minute of typing.
  }
  here.value = target;
  rememberPath(target.pathname);
  if (isSamePage) return;
  scrollTo(0, 0);
  hasArrived = true;
}

/** Whether another view is shown since this was asked last: its heading then gets the focus. */
export function takeArrival(): boolean {
  const had = hasArrived;
  hasArrived = false;
  return had;
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
  entry = entryName();
  history.scrollRestoration = "manual";
  addEventListener("popstate", () => {
    rememberScroll();
    entry = entryName();
    here.value = new URL(location.href);
    restoreScroll(scrolled.get(entry) ?? 0);
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

/** Scrolls as soon as the page is long enough, unless the person scrolls or goes elsewhere before. */
function restoreScroll(top: number): void {
  const wanted = entry;
  const until = now() + MAX_RESTORE_MS;
  const given = new AbortController();
  for (const type of ["wheel", "touchstart", "keydown"]) {
    addEventListener(type, () => given.abort(), { once: true, passive: true, signal: given.signal });
  }
  const attempt = () => {
    if (given.signal.aborted || entry !== wanted) return;
    scrollTo(0, top);
    if (Math.abs(scrollY - top) < 2 || now() > until) given.abort();
    else requestAnimationFrame(attempt);
  };
  requestAnimationFrame(attempt);
}
