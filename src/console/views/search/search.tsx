// The view Search: results while typing. The address contains the search, so that it can be saved.

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { recall, remember } from "../../api/cache.ts";
import { messageOf } from "../../api/request.ts";
import { indexingLeft } from "../../frame/indexing.tsx";
import { go, here, setParameters } from "../../frame/location.ts";
import { CollectionSelect } from "../../parts/collection-select.tsx";
import { Choice, Field } from "../../parts/controls.tsx";
import { useRecovery } from "../../parts/load.ts";
import { Empty, Page, Problem } from "../../parts/page.tsx";
import { PinnedList, usePins } from "../../parts/pins.tsx";
import { TagsInput } from "../../parts/tags-input.tsx";
import { parseTags, plural } from "../../text/format.ts";
import {
  createSearcher,
  DEFAULT_THRESHOLD,
  type Found,
  isBlank,
  isSameSearch,
  MAX_RESULTS,
  type Search,
} from "./find.ts";
import { RecentChanges } from "./recent-changes.tsx";
import { Results } from "./results.tsx";

const searcher = createSearcher();
const keyOf = (search: Search) => `search ${JSON.stringify(search)}`;

function searchOf({ searchParams }: URL): Search {
  const text = (name: string, fallback = "") => searchParams.get(name) ?? fallback;
  const type = text("type", "all");
  return {
    query: text("q"),
    isLiteral: text("mode") === "text",
    type: type === "documents" || type === "prompts" || type === "collections" ? type : "all",
    tags: text("tags"),
    collectionId: text("collection"),
    threshold: text("score", DEFAULT_THRESHOLD),
    after: dayOf(text("after")),
    before: dayOf(text("before")),
    path: text("path"),
    isCurrent: text("archived") === "no",
    isMore: text("more") !== "",
  };
}

/** A day of an address; "" if it is none. */
const dayOf = (text: string) => (/^\d{4}-\d{2}-\d{2}$/.test(text) ? text : "");

export function SearchView() {
  const search = searchOf(here.value);
  const [typed, setTyped] = useState(search.query);
  const [found, setFound] = useState(() => recall<Found>(keyOf(search)));
  const [problem, setProblem] = useState<string | undefined>();
  const [round, setRound] = useState(0);
  const field = useRef<HTMLInputElement>(null);
  const results = useRef<HTMLDivElement>(null);
  const wanted = { ...search, query: typed };
  const isStale = found !== undefined && !isSameSearch(found.search, wanted);
  /** The search whose first result is opened as soon as it is there. */
  const opening = useRef<Search | undefined>(undefined);

  useEffect(() => field.current?.focus(), []);
  // The address may also change without typing: by the history, or by a link.
  const written = useRef(search.query);
  useEffect(() => {
    if (search.query !== written.current) setTyped(search.query);
  }, [search.query]);
  useEffect(() => {
    written.current = typed;
    setParameters({ q: typed });
  }, [typed]);
  // Before the browser shows the typed letter, which would take a frame.
  useLayoutEffect(() => {
    if (isBlank(wanted)) {
      setFound(undefined);
      return;
    }
    searcher(wanted, {
      done(result) {
        remember(keyOf(result.search), result);
        setFound(result);
        setProblem(undefined);
      },
      failed: (error) => setProblem(messageOf(error)),
    });
  }, [JSON.stringify(wanted), round]);
  useRecovery(problem, () => setRound(round + 1));
  useEffect(() => {
    if (found && opening.current && isSameSearch(opening.current, found.search)) openFirst();
  }, [found]);
  const openFirst = () => {
    opening.current = undefined;
    const first = results.current?.querySelector<HTMLAnchorElement>("a.hit");
    if (first) go(first.href);
  };

  /** Arrows move between the field and the results; Enter opens the first result. */
  const onKeyDown = (event: KeyboardEvent) => {
    const links = [...(results.current?.querySelectorAll<HTMLElement>("a.hit") ?? [])];
    const at = links.indexOf(document.activeElement as HTMLElement);
    if (event.key === "Enter" && document.activeElement === field.current && !isBlank(wanted)) {
      event.preventDefault();
      // The results that are shown may still be those of other words.
      if (found && !isStale) openFirst();
      else opening.current = wanted;
    }
    if (event.key === "Escape" && at >= 0) field.current?.focus();
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    if (at < 0 && document.activeElement !== field.current) return;
    event.preventDefault();
    const next = at + (event.key === "ArrowDown" ? 1 : -1);
    (next < 0 ? field.current : links[Math.min(next, links.length - 1)])?.focus();
  };

  const isShown = !isBlank(wanted) && found !== undefined;
  return (
    <Page title={typed === "" ? "Search" : `${typed} – Search`} isTitleHidden>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keys move the focus between field and results */}
      <div onKeyDown={onKeyDown}>
        <search>
          <div class="search-line">
            <label class="hidden" for="search">
              Search
            </label>
            <input
              id="search"
              type="search"
              ref={field}
              value={typed}
              autocomplete="off"
              placeholder="Search documents, prompts and collections"
              onInput={(event) => {
                opening.current = undefined;
                setTyped(event.currentTarget.value);
              }}
            />
            <Choice
              label="Search by"
              options={[
                ["meaning", "Meaning"],
                ["text", "Exact text"],
              ]}
              value={search.isLiteral ? "text" : "meaning"}
              onChange={(mode) => setParameters({ mode: mode === "text" ? "text" : "" })}
            />
          </div>
          <Filters search={search} />
        </search>
        <Problem text={problem} />
        <p class="hidden" role="status">
          {isShown && !isStale ? plural(found.count, "result") : ""}
        </p>
        {isShown && found.pending > 0 && (
          <p class="pending">
            {plural(found.pending, "record")} still being indexed: results are incomplete
            {indexingLeft()}.
          </p>
        )}
        <div ref={results} class={isStale ? "stale" : ""} aria-busy={isStale}>
          {isShown ? <Results found={found} /> : isBlank(wanted) && <Start />}
          {isShown && found.hasMore && !isStale && (
            <button type="button" onClick={() => setParameters({ more: "1" })}>
              More results
            </button>
          )}
          {isShown && search.isMore && found.count >= MAX_RESULTS && (
            <p class="quiet">At most {MAX_RESULTS} of each kind are shown: add words or filters.</p>
          )}
        </div>
      </div>
    </Page>
  );
}

function Filters({ search }: { search: Search }) {
  const isFiltered =
    search.type !== "all" ||
    search.tags !== "" ||
    search.collectionId !== "" ||
    search.after !== "" ||
    search.before !== "" ||
    search.path !== "" ||
    search.isCurrent ||
    search.threshold !== DEFAULT_THRESHOLD;
  const ref = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (isFiltered && ref.current) ref.current.open = true;
  }, [isFiltered]);
  return (
    <details class="filters" ref={ref}>
      <summary>Filters</summary>
      <div class="fields">
        <Field label="Type">
          <select
            value={search.type}
            onChange={({ currentTarget: { value } }) => setParameters({ type: value === "all" ? "" : value })}
          >
            <option value="all">Everything</option>
            <option value="documents">Documents</option>
            <option value="prompts">Prompts</option>
            <option value="collections">Collections</option>
          </select>
        </Field>
        <Field label="Tags" hint="All of them, separated by commas">
          <TagsInput
            value={search.tags}
            when="change"
            onChange={(tags) => setParameters({ tags: parseTags(tags).join(",") })}
          />
        </Field>
        <CollectionSelect
          label="Collection"
          none="All collections"
          value={search.collectionId}
          onChange={(collection) => setParameters({ collection })}
        />
        <Field label="Changed from">
          <input
            type="date"
            value={search.after}
            onChange={({ currentTarget: { value } }) => setParameters({ after: value })}
          />
        </Field>
        <Field label="Changed before">
          <input
            type="date"
            value={search.before}
            onChange={({ currentTarget: { value } }) => setParameters({ before: value })}
          />
        </Field>
        <Field label="Path or URL">
          <input
            value={search.path}
            onChange={({ currentTarget: { value } }) => setParameters({ path: value.trim() })}
          />
        </Field>
        <Field label="Archived">
          <select
            value={search.isCurrent ? "no" : ""}
            onChange={({ currentTarget: { value } }) => setParameters({ archived: value })}
          >
            <option value="">included, last</option>
            <option value="no">left out</option>
          </select>
        </Field>
        <Field label={`Minimum score: ${search.threshold}`} hint="Searching by meaning only">
          <input
            type="range"
            min="0"
            max="0.9"
            step="0.05"
            value={search.threshold}
            disabled={search.isLiteral}
            onInput={({ currentTarget: { value } }) =>
              setParameters({ score: value === DEFAULT_THRESHOLD ? "" : value })
            }
          />
        </Field>
      </div>
    </details>
  );
}

function Start() {
  const pins = usePins();
  // So that what is below it does not move.
  if (!pins.value && pins.isLoading) return null;
  return (
    <>
      <PinnedList pins={pins.value ?? []} />
      <RecentChanges>
        <Welcome />
      </RecentChanges>
    </>
  );
}

function Welcome() {
  return (
    <Empty title="Find what you and your agents have stored">
      <p>
        Type what you are looking for, in your own words. Press <kbd>/</kbd> anywhere to come back here,{" "}
        <kbd>↓</kbd> to go through the results and <kbd>Enter</kbd> to open one.
      </p>
      <p>
        <code>"exact phrase"</code>, <code>-word</code>, <code>tag:x</code>, <code>path:x</code>,{" "}
        <code>title:x</code>, <code>in:collection</code>, <code>after:2026-01-31</code> and{" "}
        <code>before:2026-01-31</code> limit the results.
      </p>
      <p>
        Nothing stored yet? <a href="/console/add">Add</a> a text, a web page or a folder of notes, or{" "}
        <a href="/console/access">connect an agent</a>.
      </p>
    </Empty>
  );
}
