// Text that was typed and not yet saved, kept in this browser so that a reload or a failure loses nothing. Signing out
// deletes it.

const PREFIX = "ctxrepo draft ";

/** The draft of this name, or undefined. */
export function readDraft<Draft>(name: string): Draft | undefined {
  try {
    const text = localStorage.getItem(PREFIX + name);
    return text === null ? undefined : (JSON.parse(text) as Draft);
  } catch {
    return undefined;
  }
}

/** Keeps a draft; null deletes it. A draft that does not fit into the browser's storage is not kept. */
export function keepDraft(name: string, draft: unknown): void {
  try {
    if (draft === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, JSON.stringify(draft));
  } catch {
    // The storage is full or switched off.
  }
}

/** Deletes all drafts. */
export function forgetDrafts(): void {
  const names = Array.from({ length: localStorage.length }, (_, index) => localStorage.key(index) ?? "");
  for (const name of names) if (name.startsWith(PREFIX)) localStorage.removeItem(name);
}
