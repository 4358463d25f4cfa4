// Runs actions that have the same key one after another, in the order in which they were asked for.

/** Runs an action after those with the same key. Other keys do not wait. */
export type OneAtATime = <Result>(key: string, action: () => Promise<Result>) => Promise<Result>;

/** Opens a queue for each key; a key without waiting actions takes no memory. */
export function oneAtATime(): OneAtATime {
  const last = new Map<string, Promise<unknown>>();
  return async (key, action) => {
    const before = last.get(key);
    const running = (async () => {
      await before?.catch(() => {});
      return action();
    })();
    last.set(key, running);
    try {
      return await running;
    } finally {
      if (last.get(key) === running) last.delete(key);
    }
  };
}
