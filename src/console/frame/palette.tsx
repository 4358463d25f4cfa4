// Ctrl+K: goes to a record by its title, or does something, by typing a few letters.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import uFuzzy from "@leeoniya/ufuzzy";
import type { TitledRecord } from "../../features/console/replies.ts";
import { may, user } from "../api/session.ts";
import { Problem } from "../parts/page.tsx";
import { changesOf, useRead } from "../parts/load.ts";
import { go } from "./location.ts";
import { recentPaths } from "./recent.ts";
import { offeredViews } from "./routes.ts";

interface Choice {
  title: string;
  /** What it is, for people: `document`, `view`. */
  kind: string;
  href: string;
  /** What it does, instead of going there. */
  run?(): void;
}

const MAX_SHOWN = 12;
/** Records that are shown before anything is typed. */
const MAX_RECORDS = 6;
/** Finds words with one wrong, missing or additional letter. */
const fuzzy = new uFuzzy({ intraMode: 1, intraIns: 1, intraSub: 1, intraTrn: 1, intraDel: 1 });

const ADDITIONS = [
  ["New document", "/console/add", "documents.write"],
  ["New prompt", "/console/add?what=prompt", "prompts.write"],
  ["Fetch a web page", "/console/add?what=page", "documents.write"],
  ["Import files", "/console/add?what=files", "documents.write"],
  ["Tags", "/console/tags", "documents.read"],
  ["Map of documents", "/console/map", "documents.read"],
  ["Trash", "/console/trash", "documents.write"],
  ["Machines", "/console/machines", "documents.read"],
] as const;

export function Palette({ close }: { close(): void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const titles = useRead<TitledRecord[]>("/console/api/titles", {
    concerns: changesOf(["document", "prompt", "collection"]),
  });
  useEffect(() => dialog.current?.showModal(), []);

  const choices = useMemo(() => {
    const actions: Choice[] = [
      ...pinChoice(),
      ...ADDITIONS.flatMap(([title, href, scope]) => (may(scope) ? [{ title, href, kind: "action" }] : [])),
      ...offeredViews(may).map(([href, title]) => ({ title, href, kind: "view" })),
    ];
    const records = (titles.value ?? []).map(
      ([kind, id, title]): Choice => ({ title, kind, href: `/console/${kind}s/${id}` }),
    );
    return { actions, records, all: [...actions, ...records] };
  }, [titles.value, user.value]);
  const shown = useMemo(
    () => (typed.trim() === "" ? withoutQuery(choices) : matching(choices.all, typed)),
    [choices, typed],
  );
  const selected = shown[Math.min(at, shown.length - 1)];

  const open = (choice: Choice) => {
    close();
    if (choice.run) choice.run();
    else go(choice.href);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt((Math.min(at, shown.length - 1) + step + shown.length) % Math.max(1, shown.length));
    }
    if (event.key === "Enter" && selected) {
      event.preventDefault();
      open(selected);
    }
  };
  return (
    <dialog ref={dialog} class="palette" aria-label="Go to" onClose={close}>
      <input
        type="text"
        role="combobox"
        aria-label="Go to a title, a view or an action"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={selected && `palette-${shown.indexOf(selected)}`}
        placeholder="Go to…"
        autocomplete="off"
        spellcheck={false}
        value={typed}
        onInput={({ currentTarget: { value } }) => {
          setTyped(value);
          setAt(0);
        }}
        onKeyDown={onKeyDown}
      />
      <Problem text={titles.problem} />
      <div id="palette-list" role="listbox" aria-label="Choices">
        {shown.map((choice, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the field
          <div
            key={choice.href + choice.title}
            id={`palette-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={choice === selected}
            onClick={() => open(choice)}
          >
            <span dir="auto">{choice.title}</span>
            <small>{choice.kind}</small>
          </div>
        ))}
      </div>
      {shown.length === 0 && (
        <p class="quiet">No title is like that. Enter words in Search to look into texts.</p>
      )}
    </dialog>
  );
}

/** Presses the button that pins the record on the page, if there is one. */
function pinChoice(): Choice[] {
  const button = document.querySelector<HTMLButtonElement>("main .pin:enabled");
  if (!button) return [];
  const title = button.ariaPressed === "true" ? "Pin this no longer" : "Pin this to the start page";
  return [{ title, kind: "action", href: "", run: () => button.click() }];
}

/** What was opened last, then the newest records, then what can be done. */
function withoutQuery({ actions, records }: { actions: Choice[]; records: Choice[] }): Choice[] {
  const recent = recentPaths().flatMap((path) => records.find(({ href }) => href === path) ?? []);
  const first = new Set([...recent, ...records.slice(0, MAX_RECORDS)]);
  return [...[...first].slice(0, MAX_RECORDS), ...actions].slice(0, MAX_SHOWN);
}

function matching(choices: Choice[], typed: string): Choice[] {
  const titles = choices.map(({ title }) => title);
  const found = fuzzy.search(titles, typed, 1);
  const [indexes, info, order] = found;
  const best = order && info ? order.map((position) => info.idx[position]!) : (indexes ?? []);
  return best.slice(0, MAX_SHOWN).flatMap((index) => choices[index] ?? []);
}
