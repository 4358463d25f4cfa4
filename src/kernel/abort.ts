// Ends a wait when a signal fires. The work that was waited for goes on; its result is dropped.

/** Resolves or rejects as `promise` does, or rejects with the reason of `signal` as soon as that fires. */
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
