// The values that were typed for the placeholders of a prompt, in this tab: a reload keeps them.

const PREFIX = "ctxrepo values ";

/** The values by name that were kept for a prompt. */
export function keptValues(promptId: string): ReadonlyMap<string, string> {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(PREFIX + promptId) ?? "[]");
    return new Map(Array.isArray(kept) ? (kept as [string, string][]) : []);
  } catch {
    return new Map();
  }
}

/**
 * Keeps the values of a prompt; values that do not fit into the storage of the browser last until the page is closed.
 */
export function keepValues(promptId: string, values: ReadonlyMap<string, string>): void {
  try {
    sessionStorage.setItem(PREFIX + promptId, JSON.stringify([...values]));
  } catch {
    // The storage is full or switched off.
  }
}

/** Forgets the values of all prompts. */
export function forgetValues(): void {
  try {
    for (const name of Object.keys(sessionStorage))
      if (name.startsWith(PREFIX)) sessionStorage.removeItem(name);
  } catch {
    // Nothing was kept.
  }
}
