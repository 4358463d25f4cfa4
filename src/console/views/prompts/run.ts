// Running a prompt with the language model of the server: what it has written so far.

import { useEffect, useRef, useState } from "preact/hooks";
import { messageOf, readEvents } from "../../api/request.ts";

export interface Run {
  text: string;
  state: "running" | "done" | "stopped" | "failed";
  /** Whether a limit has cut the text. */
  isCut: boolean;
  /** What went wrong, for people. */
  problem?: string;
}

/** What is written is shown this often, ms. */
const SHOW_MS = 100;

const STARTED: Run = { text: "", state: "running", isCut: false };

/** Runs a prompt, one time after the other; undefined before the first time. Leaving the view stops it. */
export function useRun(promptId: string) {
  const [run, setRun] = useState<Run | undefined>();
  const running = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  const start = async (values: ReadonlyMap<string, string>, versionId: string | undefined) => {
    running.current?.abort();
    const own = new AbortController();
    running.current = own;
    let latest = STARTED;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = () => {
      timer = undefined;
      if (running.current === own) setRun(latest);
    };
    const change = (part: Partial<Run>) => {
      latest = { ...latest, ...part };
      timer ??= setTimeout(show, SHOW_MS);
    };
    show();
    try {
      const body = { versionId, values: [...values].map(([name, value]) => ({ name, value })) };
      const path = `/console/api/prompts/${promptId}/run`;
      await readEvents(path, { body, signal: own.signal }, ({ name, data }) => {
        if (name === "text") change({ text: latest.text + String(data) });
        if (name === "end") change({ state: "done", isCut: (data as { isCut: boolean }).isCut });
        if (name === "failed") change({ state: "failed", problem: String(data) });
      });
      if (latest.state === "running") change({ state: "failed", problem: "The server has ended the run." });
    } catch (error) {
      change(own.signal.aborted ? { state: "stopped" } : { state: "failed", problem: messageOf(error) });
    }
    clearTimeout(timer);
    show();
  };
  return { run, start, stop: () => running.current?.abort() };
}
