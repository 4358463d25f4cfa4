// Reports a record for which something failed, and goes on with the others.

import { Failure } from "../kernel/errors.ts";
import type { Outcome, Run } from "./context.ts";
import { type Line, note } from "./report.ts";

/** How often a record is read again because it has changed meanwhile. */
const MAX_TRIES = 3;

/** Failures in a row after which the server is taken to be down. */
const MAX_UNAVAILABLE = 3;

/** After these no other record succeeds either. */
const ENDS_RUN = new Set(["unauthenticated", "forbidden", "rate-limited"]);

/** The outcome of `act`; none if it fails for this record. Throws what ends the run. */
export async function reporting(
  run: Run,
  record: Pick<Line, "kind" | "id" | "title">,
  act: () => Promise<Outcome>,
): Promise<Outcome> {
  for (let attempt = 1; ; attempt++) {
    try {
      const outcome = await act();
      run.unavailable = 0;
      return outcome;
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (error.kind === "precondition-failed" && attempt < MAX_TRIES) continue;
      if (ENDS_RUN.has(error.kind)) throw error;
      if (error.kind === "unavailable" && ++run.unavailable >= MAX_UNAVAILABLE) throw error;
      note(run.report, { ...record, action: "failed", side: "both", reason: error.message });
      return {};
    }
  }
}
