// Reading from the server in a component: one value, or a list page by page. What was read is shown again at once when
// the component comes back, and read anew when it changes on the server.

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { recall, remember } from "../api/cache.ts";
import { onChanges } from "../api/live.ts";
import { messageOf, type Page, type RequestOptions, read, send } from "../api/request.ts";
import type { LiveChange } from "../../features/console/replies.ts";

export interface Loaded<Value> {
  value: Value | undefined;
  /** What went wrong, for people. */
  problem: string | undefined;
  /** Whether it is being read because of a component or a person, and not because it has changed. */
  isLoading: boolean;
  reload(): void;
  /** Replaces the value, for a change whose result is known. */
  set(value: Value): void;
}

interface LoadOptions {
  /** Remembers the value by this key. */
  key?: string;
  /** Whether a change on the server may have changed the value; without it, none does. */
  concerns?: Concerns;
  /** Changes within this time cause one request. */
  gatherMs?: number;
}

type Concerns = (change: LiveChange) => boolean;

/** Concerned by every change of these kinds of records, or of one of them. */
export const changesOf =
  (types: readonly LiveChange["type"][], id?: string): Concerns =>
  (change) =>
    types.includes(change.type) && (id === undefined || change.id === id || change.id === "");

const GATHER_MS = 400;

/** Calls `act` a moment after changes that `concerns` accepts; while it runs, once more after it has ended. */
function useChanges(
  { concerns, gatherMs = GATHER_MS }: Pick<LoadOptions, "concerns" | "gatherMs">,
  act: (changes: readonly LiveChange[]) => Promise<void>,
): void {
  const latest = useRef({ concerns, act });
  latest.current = { concerns, act };
  const isWanted = concerns !== undefined;
  useEffect(() => {
    if (!isWanted) return;
    let gathered: LiveChange[] = [];
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isRunning = false;
    let isAgain = false;
    const run = async () => {
      timer = undefined;
      if (isRunning) {
        isAgain = true;
        return;
      }
      isRunning = true;
      const changes = gathered;
      gathered = [];
      await latest.current.act(changes);
      isRunning = false;
      if (!isAgain) return;
      isAgain = false;
      timer ??= setTimeout(run, gatherMs);
    };
    const stop = onChanges((changes) => {
      const own = changes === "unknown" ? [] : changes.filter((one) => latest.current.concerns?.(one));
      if (changes !== "unknown" && own.length === 0) return;
      gathered.push(...own);
      timer ??= setTimeout(run, gatherMs);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [isWanted]);
}

/** Calls `reload` when the server can be reached again, if reading has failed. */
export function useRecovery(problem: string | undefined, reload: () => void): void {
  const latest = useRef(reload);
  latest.current = reload;
  const hasFailed = problem !== undefined;
  useEffect(() => {
    if (!hasFailed) return;
    return onChanges((changes) => changes === "unknown" && latest.current());
  }, [hasFailed]);
}

/** Calls `load` at first and whenever `inputs` change. The last value remains while the next one is read. */
export function useLoad<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  inputs: readonly unknown[],
  { key, ...changing }: LoadOptions = {},
): Loaded<Value> {
  const [state, setState] = useState<{ value?: Value; problem?: string; isLoading: boolean }>(() => ({
    value: key === undefined ? undefined : recall<Value>(key),
    isLoading: true,
  }));
  const [round, setRound] = useState(0);
  const isMounted = useRef(true);
  const latest = useRef(load);
  latest.current = load;
  const keep = (value: Value) => {
    if (key !== undefined) remember(key, value);
    setState({ value, isLoading: false });
  };
  useEffect(
    () => () => {
      isMounted.current = false;
    },
    [],
  );
  useEffect(() => {
    const controller = new AbortController();
    const kept = key === undefined ? undefined : recall<Value>(key);
    setState(({ value }) => ({ value: kept ?? value, isLoading: true }));
    load(controller.signal).then(
      (value) => !controller.signal.aborted && keep(value),
      (error) =>
        !controller.signal.aborted &&
        setState(({ value }) => ({ value, problem: messageOf(error), isLoading: false })),
    );
    return () => controller.abort();
  }, [...inputs, round]);
  useChanges(changing, async () => {
    const wanted = latest.current;
    try {
      const value = await wanted(new AbortController().signal);
      if (isMounted.current && wanted === latest.current) keep(value);
    } catch (error) {
      if (isMounted.current)
        setState(({ value }) => ({ value, problem: messageOf(error), isLoading: false }));
    }
  });
  useRecovery(state.problem, () => setRound((before) => before + 1));
  return {
    value: state.value,
    problem: state.problem,
    isLoading: state.isLoading,
    reload: useCallback(() => setRound((before) => before + 1), []),
    set: useCallback((value: Value) => setState({ value, isLoading: false }), []),
  };
}

/** The member `data` of what the server returns for a path. */
export function useRead<Value>(path: string, changing: Omit<LoadOptions, "key"> = {}): Loaded<Value> {
  return useLoad((signal) => read<Value>(path, { signal }), [path], { key: path, ...changing });
}

export interface LoadedPages<Item> {
  items: Item[];
  hasMore: boolean;
  isLoading: boolean;
  problem: string | undefined;
  /** What the list says about all of its rows. */
  summary: unknown;
  loadMore(): void;
  reload(): void;
}

interface Pages<Item> {
  items: Item[];
  /** Where the next page begins; null after the last one, "" before the first one was read. */
  cursor: string | null;
  summary?: unknown;
}

/** Pages that are read again when something has changed; of a longer list, the rest remains as it was read. */
const MAX_PAGES_AGAIN = 5;
const NOTHING: Pages<never> = { items: [], cursor: "" };

/** A list of the API. It starts again when path or query change; the old items remain until the first page is there. */
export function usePages<Item extends { id: string }>(
  path: string,
  query: RequestOptions["query"] = {},
  changing: Omit<LoadOptions, "key"> = {},
): LoadedPages<Item> {
  const key = JSON.stringify([path, query]);
  const [pages, setPages] = useState<Pages<Item>>(() => recall(key) ?? NOTHING);
  const [problem, setProblem] = useState<string | undefined>();
  const [isLoading, setLoading] = useState(true);
  const [round, setRound] = useState(0);
  const controller = useRef(new AbortController());
  const latest = useRef({ key, pages });
  latest.current = { key, pages };

  const show = (next: Pages<Item>) => {
    remember(key, next);
    setPages(next);
  };
  const readPage = async (from: string, before: Item[]) => {
    const { signal } = controller.current;
    setLoading(true);
    try {
      const { data } = await send<Page<Item>>("GET", path, { query: { ...query, cursor: from }, signal });
      if (signal.aborted) return;
      const known = new Set(before.map(({ id }) => id));
      const added = data.data.filter(({ id }) => !known.has(id));
      const { pagination, summary } = data;
      show({ items: [...before, ...added], cursor: pagination.hasMore ? pagination.cursor : null, summary });
      setProblem(undefined);
    } catch (error) {
      if (!signal.aborted) setProblem(messageOf(error));
    }
    if (!signal.aborted) setLoading(false);
  };

  /** Reads the pages that are shown again; a list that was shown before keeps its rows meanwhile. */
  const readAgain = async (removed: ReadonlySet<string> = new Set()) => {
    const { signal } = controller.current;
    const { items, cursor } = latest.current.pages;
    const fresh: Item[] = [];
    let next: string | null = "";
    let summary: unknown;
    try {
      for (
        let page = 0;
        page < MAX_PAGES_AGAIN && next !== null && (page === 0 || fresh.length < items.length);
        page++
      ) {
        const { data }: { data: Page<Item> } = await send("GET", path, {
          query: { ...query, cursor: next },
          signal,
        });
        fresh.push(...data.data);
        summary = data.summary;
        next = data.pagination.hasMore ? data.pagination.cursor : null;
      }
      if (signal.aborted || latest.current.key !== key) return;
      const lastRead = items.findLastIndex(({ id }) => fresh.some((item) => item.id === id));
      const rest = next === null || fresh.length >= items.length ? [] : items.slice(lastRead + 1);
      const known = new Set(fresh.map(({ id }) => id));
      const kept = rest.filter(({ id }) => !known.has(id) && !removed.has(id));
      show({ items: [...fresh, ...kept], cursor: kept.length === 0 ? next : cursor, summary });
      setProblem(undefined);
    } catch (error) {
      if (!signal.aborted) setProblem(messageOf(error));
    }
    if (!signal.aborted) setLoading(false);
  };

  useEffect(() => {
    controller.current = new AbortController();
    const current = controller.current;
    const kept = recall<Pages<Item>>(key);
    if (kept && kept.items.length > 0) {
      latest.current = { key, pages: kept };
      setPages(kept);
      setLoading(true);
      readAgain();
    } else readPage("", []);
    return () => current.abort();
  }, [key, round]);

  useChanges(changing, (changes) =>
    readAgain(new Set(changes.flatMap(({ action, id }) => (action === "delete" ? [id] : [])))),
  );

  useRecovery(problem, () => setRound((before) => before + 1));

  const { items, cursor, summary } = pages;
  return {
    items,
    hasMore: cursor !== null && cursor !== "",
    isLoading,
    problem,
    summary,
    loadMore() {
      if (!isLoading && problem === undefined && cursor) readPage(cursor, items);
    },
    reload: () => setRound((before) => before + 1),
  };
}
