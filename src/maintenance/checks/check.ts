// The result of one check of `doctor`.

export interface Check {
  name: string;
  status: "ok" | "warn" | "fail";
  /** What was found, in one line. */
  detail: string;
  /** What to do about it; absent if the status is `ok`. */
  fix?: string;
}

/** Everything is as it should be. */
export const ok = (name: string, detail: string): Check => ({ name, status: "ok", detail });
/** It works, but something should be changed. */
export const warn = (name: string, detail: string, fix: string): Check => ({
  name,
  status: "warn",
  detail,
  fix,
});
/** It does not work. */
export const fail = (name: string, detail: string, fix: string): Check => ({
  name,
  status: "fail",
  detail,
  fix,
});
