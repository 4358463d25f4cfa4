// Reviewing what has changed since a version, one record after the other, on the page of a record's versions.

import type { Change } from "../../features/console/replies.ts";
import { go, here } from "../frame/location.ts";
import { plural } from "../text/format.ts";
import { useKey } from "./key.ts";
import { usePages } from "./load.ts";

const MAX_CHANGES = 100;

/** What is new of one record. */
interface Unseen extends Pick<Change, "type" | "recordId" | "title" | "version"> {
  /** The version before; undefined if the record is new. */
  before: number | undefined;
}

/** The number of the version before the first of these, which are the latest first; undefined if there is none. */
export function versionBefore(versions: readonly Change[], type: Change["type"]): number | undefined {
  const first = versions.at(-1)?.version;
  return first === undefined || first <= (type === "document" ? 0 : 1) ? undefined : first - 1;
}

/** The records that have changed after a version, those that have changed last first. */
export function unseen(changes: readonly Change[], since: string): Unseen[] {
  const records = Map.groupBy(
    changes.filter(({ id }) => id > since),
    ({ recordId }) => recordId,
  );
  return [...records.values()].map((versions) => {
    const { type, recordId, title, version } = versions[0]!;
    return { type, recordId, title, version, before: versionBefore(versions, type) };
  });
}

/** The address that shows what is new of a record; `since` continues with the other ones. */
export function reviewHref({ type, recordId, version, before }: Unseen, since: string): string {
  const against = before === undefined ? "" : `&against=${before}`;
  return `/console/${type}s/${recordId}/versions?version=${version}${against}&as=rendered&review=${since}`;
}

/** Goes to the next record of a review; nothing without one in the address. */
export function ReviewBar({ recordId }: { recordId: string }) {
  const since = here.value.searchParams.get("review") ?? "";
  return since === "" ? null : <Bar recordId={recordId} since={since} />;
}

function Bar({ recordId, since }: { recordId: string; since: string }) {
  const { items } = usePages<Change>("/console/api/changes", { limit: MAX_CHANGES });
  const records = unseen(items, since);
  const at = records.findIndex((record) => record.recordId === recordId);
  const next = at < 0 ? undefined : records[at + 1];
  const href = next ? reviewHref(next, since) : "/console/";
  useKey("n", () => go(href));
  if (at < 0) return null;
  return (
    <p class="review">
      <span>
        Review: {at + 1} of {plural(records.length, "record")}
      </span>
      <a class="button" href={href}>
        {next ? "Next" : "Done"}
      </a>
      <span class="quiet">
        <kbd>n</kbd> next, <kbd>r</kbd> restores the earlier version
      </span>
    </p>
  );
}
