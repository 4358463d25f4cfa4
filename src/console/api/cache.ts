// What was read from the server, by key: shown at once when a view is shown again, and read anew after it.

const MAX_ENTRIES = 60;
const entries = new Map<string, unknown>();

/** The value of a key, or undefined. */
export const recall = <Value>(key: string): Value | undefined => entries.get(key) as Value | undefined;

/** Keeps a value; the keys that were kept longest ago are forgotten. */
export function remember(key: string, value: unknown): void {
  entries.delete(key);
  entries.set(key, value);
  const [oldest] = entries.keys();
  if (entries.size > MAX_ENTRIES && oldest !== undefined) entries.delete(oldest);
}

/** Forgets everything: somebody else may sign in. */
export function forgetAll(): void {
  entries.clear();
}
