// The records that were opened last in this tab.

const NAME = "ctxrepo recent";
const MAX_PATHS = 20;

/** The paths of the records that were opened last, latest first. */
export function recentPaths(): string[] {
  try {
    const paths: unknown = JSON.parse(sessionStorage.getItem(NAME) ?? "[]");
    return Array.isArray(paths) ? paths.filter((path) => typeof path === "string") : [];
  } catch {
    return [];
  }
}

/** Remembers that a record was opened. */
export function rememberPath(path: string): void {
  if (!/^\/console\/(documents|prompts|collections)\/[0-9A-Za-z]{27}$/.test(path)) return;
  const paths = [path, ...recentPaths().filter((other) => other !== path)].slice(0, MAX_PATHS);
  try {
    sessionStorage.setItem(NAME, JSON.stringify(paths));
  } catch {
    // The storage of the browser is switched off.
  }
}
