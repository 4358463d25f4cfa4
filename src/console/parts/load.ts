// Reading from the server in a component: one value, or a list page by page. An answer that is no longer wanted is
// dropped.

import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { messageOf, type Page, type RequestOptions, send } from "../api/request.ts";

export interface Loaded<Value> {
  value: Value | undefined;
  /** What went wrong, for people. */
  problem: string | undefined;
  isLoading: boolean;
  reload(): void;
  /** Replaces the value, for a change whose result is known. */
  set(value: Value): void;
}

/** Calls `load` at first and whenever `inputs` change. The last value remains while the next one is read. */
export function useLoad<Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  inputs: readonly unknown[],
): Loaded<Value> {
  const [state, setState] = useState<{ value?: Value; problem?: string; isLoading: boolean }>({
    isLoading: true,
  });
  const [round, setRound] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    setState(({ value }) => ({ value, isLoading: true }));
    load(controller.signal).then(
      (value) => !controller.signal.aborted && setState({ value, isLoading: false }),
      (error) =>
        !controller.signal.aborted &&
        setState(({ value }) => ({ value, problem: messageOf(error), isLoading: false })),
    );
    return () => controller.abort();
  }, [...inputs, round]);
  return {
    value: state.value,
    problem: state.problem,
    isLoading: state.isLoading,
    reload: useCallback(() => setRound((before) => before + 1), []),
    set: useCallback((value: Value) => setState({ value, isLoading: false }), []),
  };
}

export interface LoadedPages<Item> {
  items: Item[];
  hasMore: boolean;
  isLoading: boolean;
  problem: string | undefined;
  loadMore(): void;
  reload(): void;
}

/** A list of the API. It starts again when path or query change; the old items remain until the first page is there. */
export function usePages<Item>(path: string, query: RequestOptions["query"] = {}): LoadedPages<Item> {
  const inputs = JSON.stringify([path, query]);
  const [items, setItems] = useState<Item[]>([]);
  const [cursor, setCursor] = useState<string | null>("");
  const [problem, setProblem] = useState<string | undefined>();
  const [isLoading, setLoading] = useState(true);
  const [round, setRound] = useState(0);
  const controller = useRef(new AbortController());

  const readPage = async (from: string, before: Item[]) => {
    const { signal } = controller.current;
    setLoading(true);
    try {
      const { data } = await send<Page<Item>>("GET", path, { query: { ...query, cursor: from }, signal });
      if (signal.aborted) return;
      setItems([...before, ...data.data]);
      setCursor(data.pagination.hasMore ? data.pagination.cursor : null);
      setProblem(undefined);
    } catch (error) {
      if (!signal.aborted) setProblem(messageOf(error));
    }
    if (!signal.aborted) setLoading(false);
  };

  useEffect(() => {
    controller.current = new AbortController();
    const current = controller.current;
    readPage("", []);
    return () => current.abort();
  }, [inputs, round]);

  return {
    items,
    hasMore: cursor !== null && cursor !== "",
    isLoading,
    problem,
    loadMore() {
      if (!isLoading && problem === undefined && cursor) readPage(cursor, items);
    },
    reload: () => setRound((before) => before + 1),
  };
}
