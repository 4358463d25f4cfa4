// The keys of every view: going to the search field, to a record or to another view, and moving through lists.

import { useEffect, useState } from "preact/hooks";
import { may, user } from "../api/session.ts";
import { Dialog } from "../parts/controls.tsx";
import { lazily } from "../parts/lazy.tsx";
import { go, here, setParameters } from "./location.ts";
import { type Route, routeOf } from "./routes.ts";

const Palette = lazily<{ close(): void }>(async () => (await import("./palette.tsx")).Palette);

const KEYS = [
  ["Ctrl+K", "goes to a title, a view or an action"],
  ["/", "goes to the search field"],
  ["j, k", "next and previous row or result"],
  ["Enter, o", "opens the row"],
  ["e", "edits the record that is shown"],
  ["v", "shows its versions"],
  ["p", "pins it to the start page, or pins it no longer"],
  ["r, n", "restores the earlier version that is shown, goes to the next record to review"],
  ["g then s, a, d, p, c, n", "goes to Search, Ask, Documents, Prompts, Collections, Add"],
  ["Ctrl+S", "saves what is being edited"],
  ["?", "shows these keys"],
] as const;

const PLACES: Record<string, string> = {
  s: "/console/",
  a: "/console/ask",
  d: "/console/documents",
  p: "/console/prompts",
  c: "/console/collections",
  n: "/console/add",
};
/** The links of rows and results, in the order of the page. */
const ROWS = "main .windowed .row > a, main .windowed .title-cell > a, main a.hit, main .tree a";

/** Handles the keys of the page, and shows what they open. */
export function Keys() {
  const [shown, setShown] = useState<"palette" | "keys" | undefined>();
  useEffect(() => {
    let isGoing = false;
    const onKeyDown = (event: KeyboardEvent) => {
      if (!user.value || event.defaultPrevented) return;
      const { key } = event;
      if (key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
        event.preventDefault();
        setShown("palette");
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
      const place = isGoing ? PLACES[key] : undefined;
      isGoing = key === "g";
      const act = place === undefined ? actionOf(key, () => setShown("keys")) : () => go(place);
      if (!act) return;
      event.preventDefault();
      act();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
  const close = () => setShown(undefined);
  if (shown === "palette") return <Palette close={close} />;
  if (shown !== "keys") return null;
  return (
    <Dialog title="Keys" onClose={close}>
      <dl class="keys">
        {KEYS.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

/** In the shadow of the text editor, too: its events seem to come from its host. */
function isTyping({ target }: Event): boolean {
  return (
    target instanceof Element && target.closest("input, textarea, select, dialog, .text-editor") !== null
  );
}

function actionOf(key: string, showKeys: () => void): (() => void) | undefined {
  const route = routeOf(here.value.pathname);
  switch (key) {
    case "?":
      return showKeys;
    case "/":
      return focusSearch;
    case "j":
      return () => moveRow(1);
    case "k":
      return () => moveRow(-1);
    case "o": {
      const focused = document.activeElement;
      return focused instanceof HTMLAnchorElement && focused.matches(ROWS)
        ? () => focused.click()
        : undefined;
    }
    case "e":
      return isEditable(route) ? () => setParameters({ view: "edit" }) : undefined;
    case "v":
      return "id" in route && (route.view === "document" || route.view === "prompt")
        ? () => go(`/console/${route.view}s/${route.id}/versions`)
        : undefined;
    default:
      return undefined;
  }
}

const isEditable = ({ view }: Route) =>
  (view === "document" && may("documents.write")) || (view === "prompt" && may("prompts.write"));

function focusSearch(): void {
  if (here.value.pathname !== "/console/") go("/console/");
  // After the view is shown.
  requestAnimationFrame(() => document.querySelector<HTMLInputElement>("#search")?.focus());
}

/** Moves the focus to the next row; the first time to the first one that is visible. */
function moveRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>(ROWS)];
  const at = rows.indexOf(document.activeElement as HTMLElement);
  const first = rows.find((row) => row.getBoundingClientRect().top >= 0);
  const next = at < 0 ? first : rows[at + step];
  next?.focus();
  next?.scrollIntoView({ block: "nearest" });
}
