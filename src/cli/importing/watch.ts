// Repeats an import when files change. Events of the file system only say when to look: what changed is decided by a
// walk that compares sizes and times, so that saves, renames, replaced files and folders that disappear and return need
// no rules.

import { type FSWatcher, statSync, watch } from "node:fs";
import { systemClock } from "../../kernel/clock.ts";
import { messageOf } from "../../kernel/errors.ts";
import { printMessage } from "../output.ts";
import type { FoundFile } from "./find-files.ts";

/** Editors write a file in several steps; a walk starts when nothing has happened for this time. */
const QUIET_MS = 200;
/** A walk without an event: for file systems that send none. */
const POLL_MS = 2_000;
/** A slow walk is repeated less often: at most this share of the time is spent on walks without an event. */
const MAX_SHARE = 0.02;

/** Finds the files that have changed, by size, time of change and identity. */
interface Changes {
  /** The files that differ from those of the last call that was accepted. */
  find(files: readonly FoundFile[]): FoundFile[];
  /** Everything that was found is imported. */
  accept(): void;
}

/** At first, all files have changed. */
export function openChanges(): Changes {
  let before = new Map<string, string>();
  let seen = before;
  return {
    accept() {
      before = seen;
    },
    find(files) {
      const now = new Map<string, string>();
      const changed = files.filter(({ path }) => {
        let print: string;
        try {
          const { size, mtimeMs, ctimeMs, ino } = statSync(path);
          print = `${size} ${mtimeMs} ${ctimeMs} ${ino}`;
        } catch {
          return false;
        }
        now.set(path, print);
        return before.get(path) !== print;
      });
      seen = now;
      return changed;
    },
  };
}

/**
 * Calls `pass` after changes below the paths, which may be others after each pass, and regularly, until `signal` is
 * aborted. Passes do not overlap. A pass that throws is reported and tried again.
 */
export async function watchPaths(
  paths: () => readonly string[],
  pass: () => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  let [changedAt, hasChanged] = [0, false];
  const watchers = openWatchers(() => {
    hasChanged = true;
    changedAt = systemClock.monotonic();
  });
  let [passedAt, passMs] = [systemClock.monotonic(), 0];
  try {
    while (!signal.aborted) {
      watchers.follow(paths());
      await systemClock.sleep(QUIET_MS / 2, signal).catch(() => {});
      const now = systemClock.monotonic();
      const isQuiet = hasChanged && now - changedAt >= QUIET_MS;
      const isDue = now - passedAt >= Math.max(POLL_MS, passMs / MAX_SHARE);
      if (signal.aborted || !(isQuiet || isDue)) continue;
      hasChanged = false;
      const startedAt = now;
      try {
        await pass();
      } catch (error) {
        printMessage(`the import failed and will be repeated: ${messageOf(error)}`);
      }
      passedAt = systemClock.monotonic();
      passMs = passedAt - startedAt;
    }
  } finally {
    watchers.close();
  }
}

/** Watchers of folders that may disappear and return. */
function openWatchers(onChange: () => void) {
  const open = new Map<string, { watcher: FSWatcher; ino: number }>();
  let hasWarned = false;
  const close = (path: string) => {
    open.get(path)?.watcher.close();
    open.delete(path);
  };
  return {
    /** Watches the paths that exist, and those that were replaced by others anew. */
    follow(paths: readonly string[]) {
      for (const path of [...open.keys()]) if (!paths.includes(path)) close(path);
      for (const path of paths) {
        let ino: number | undefined;
        try {
          ino = statSync(path).ino;
        } catch {
          close(path);
        }
        if (ino === undefined || open.get(path)?.ino === ino) continue;
        close(path);
        try {
          const watcher = watch(path, { recursive: true }, onChange);
          watcher.on("error", () => close(path));
          open.set(path, { watcher, ino });
          onChange();
        } catch (error) {
          if (!hasWarned) printMessage(`changes are found by walking the folders only: ${messageOf(error)}`);
          hasWarned = true;
        }
      }
    },
    close() {
      for (const path of [...open.keys()]) close(path);
    },
  };
}
