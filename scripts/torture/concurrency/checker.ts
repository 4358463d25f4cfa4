// Proves from the clients' logs and the version history that the accepted writes of each document form one chain
// without gaps, each under the highest fence granted before it.

import type { AcceptedWrite, FinalState, Grant, Log } from "./log.ts";

/** Violations by kind; each describes one. All lists are empty if the server kept its promises. */
export interface Violations {
  /** Revisions without a version, versions without a revision, and version numbers that occur twice. */
  gaps: string[];
  /** Accepted writes whose content is not the version that the reply named. */
  lost: string[];
  /** Versions that no accepted write made, and contents that made two versions. */
  doubled: string[];
  /** Writes whose reply does not follow the revision that the request named. */
  notFollowing: string[];
  /** Fences that are granted twice, left out, or higher than the document says. */
  fences: string[];
  /** Writes under a fence that is not the highest granted before it. */
  lowFences: string[];
  /** Writes that were sent after their lease had expired or had been released. */
  lateWrites: string[];
  /** Leases that were granted while another one was certainly held. */
  sharedLeases: string[];
}

/** `log` has everything that clients were told, `states` every document at the end. */
export function violationsIn(log: Log, states: readonly FinalState[]): Violations {
  const found: Violations = {
    ...{ gaps: [], lost: [], doubled: [], notFollowing: [] },
    ...{ fences: [], lowFences: [], lateWrites: [], sharedLeases: [] },
  };
  for (const state of states) {
    const of = <Entry extends { document: string }>(entries: readonly Entry[]) =>
      entries.filter(({ document }) => document === state.document);
    const writes = of(log.writes).sort((a, b) => a.revision - b.revision);
    const grants = of(log.grants).sort((a, b) => a.fence - b.fence);
    checkChain(state, writes, found);
    if (!state.isCoordinated) continue;
    checkFences(state, { grants, unknown: unknown(log, state) }, found);
    checkLeases(writes, grants, found);
  }
  return found;
}

function checkChain(state: FinalState, writes: AcceptedWrite[], found: Violations): void {
  const versions = state.versions.toSorted((a, b) => a.version - b.version);
  for (const [index, { version }] of versions.entries())
    if (version !== index) found.gaps.push(`${state.document}: version ${version} is number ${index}`);
  if (versions.length !== state.revision + 1)
    found.gaps.push(`${state.document}: revision ${state.revision}, ${versions.length} versions`);
  if (versions.at(-1)?.content !== state.content)
    found.lost.push(`${state.document}: the current content is not that of the latest version`);

  const byRevision = new Map(writes.map((write) => [write.revision, write]));
  if (byRevision.size !== writes.length)
    found.doubled.push(`${state.document}: ${writes.length} writes, ${byRevision.size} revisions`);
  for (const { revision, content, base } of writes) {
    if (state.versions.find(({ version }) => version === revision)?.content !== content)
      found.lost.push(`${state.document}: revision ${revision} is not ${content}`);
    if (base !== undefined && revision !== base + 1)
      found.notFollowing.push(`${state.document}: revision ${revision} follows ${base}`);
  }
  const contents = new Set<string>();
  for (const { version, content } of versions) {
    if (contents.has(content)) found.doubled.push(`${state.document}: ${content} is stored twice`);
    contents.add(content);
    if (version > 0 && !byRevision.has(version))
      found.doubled.push(`${state.document}: no client was told of version ${version}, ${content}`);
  }
}

const unknown = (log: Log, { document }: FinalState) =>
  log.unknownGrants.filter((one) => one === document).length;

function checkFences(
  state: FinalState,
  { grants, unknown }: { grants: Grant[]; unknown: number },
  found: Violations,
): void {
  const fences = new Set(grants.map(({ fence }) => fence));
  if (fences.size !== grants.length) found.fences.push(`${state.document}: a fence is granted twice`);
  const highest = grants.at(-1)?.fence ?? 0;
  if (highest > state.fence) found.fences.push(`${state.document}: fence ${state.fence} after ${highest}`);
  const missing = state.fence - fences.size;
  if (missing > unknown) found.fences.push(`${state.document}: nobody was told of ${missing} fences`);
}

function checkLeases(writes: AcceptedWrite[], grants: Grant[], found: Violations): void {
  let highest = 0;
  for (const { fence = 0, revision, sentAt, document } of writes) {
    const name = `${document}: revision ${revision} under fence ${fence}`;
    const grantedBefore = grants.filter(({ answeredAt }) => answeredAt < sentAt).at(-1)?.fence ?? 0;
    if (fence < Math.max(highest, grantedBefore))
      found.lowFences.push(`${name}, fence ${Math.max(highest, grantedBefore)} was granted before`);
    highest = Math.max(highest, fence);
    const grant = grants.find((one) => one.fence === fence);
    if (!grant) found.lowFences.push(`${name}, which no client was granted`);
    else if (sentAt >= grant.expiresAt || sentAt > (grant.releasedAt ?? Number.POSITIVE_INFINITY))
      found.lateWrites.push(name);
  }
  for (const [index, grant] of grants.entries()) {
    const before = grants[index - 1];
    const isOver = !before || before.releasedAt !== undefined || before.expiresAt <= grant.answeredAt;
    if (!isOver)
      found.sharedLeases.push(`${grant.document}: fence ${grant.fence} before the end of the last`);
  }
}
