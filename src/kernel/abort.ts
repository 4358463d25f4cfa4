// Waits that end when a signal fires, and work that several signals can end.

/**
 * Resolves or rejects as `promise` does, or rejects with the reason of `signal` as soon as that fires. The work that
 * was waited for goes on; its result is dropped.
 */
export async function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal): Promise<Value> {
  signal.throwIfAborted();
  const { promise: aborted, reject } = Promise.withResolvers<never>();
  const abort = () => reject(signal.reason);
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", abort);
    promise.catch(() => {});
  }
}

/**
 * Calls `work` with a signal that fires with the first of `signals`. Unlike that of AbortSignal.any, nothing of it is
 * kept by signals that live longer, such as the one that the server stops: those keep a combined signal with listeners,
 * and what these use.
 */
export async function withAnySignal<Value>(
  signals: readonly AbortSignal[],
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const any = new AbortController();
  const listeners = signals.map((signal) => ({ signal, abort: () => any.abort(signal.reason) }));
  for (const { signal, abort } of listeners) {
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort);
  }
  try {
    return await work(any.signal);
  } finally {
    for (const { signal, abort } of listeners) signal.removeEventListener("abort", abort);
  }
}
