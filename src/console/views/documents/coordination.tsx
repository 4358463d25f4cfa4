// Whether changes of a document need a lease, and who holds it.

import { useEffect } from "preact/hooks";
import { messageOf } from "../../api/request.ts";
import { may } from "../../api/session.ts";
import { notify } from "../../frame/notices.tsx";
import { changesOf, useLoad } from "../../parts/load.ts";
import { now, timeOfDay } from "../../text/format.ts";
import { holderOf, loadCoordination, loadLease, type Stored, setLeaseRequired } from "./stored.ts";

/** Longer timers end at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

interface CoordinationProps {
  stored: Stored;
  reload(): void;
}

export function CoordinationPanel({ stored }: CoordinationProps) {
  const { id, status } = stored.document;
  const { value, reload } = useLoad(
    async (signal) => {
      const coordination = await loadCoordination(id, signal);
      const held = coordination.policy === "lease_required" ? await loadLease(id, signal) : null;
      return { ...coordination, held };
    },
    [id, stored.etag],
    { concerns: changesOf(["document"], id) },
  );
  const held = value?.held;
  // A lease ends without a change of the document.
  useEffect(() => {
    if (!held) return;
    const timer = setTimeout(reload, Math.min(held.expiresAt - now() + 500, MAX_TIMER_MS));
    return () => clearTimeout(timer);
  }, [held?.expiresAt]);
  if (!value || status === "processing") return null;
  const isRequired = value.policy === "lease_required";
  const change = async () => {
    try {
      await setLeaseRequired(stored, !isRequired);
    } catch (error) {
      notify(messageOf(error), { kind: "failed" });
    }
    reload();
  };
  return (
    <>
      <h2>Coordination</h2>
      <p>
        {isRequired
          ? "Agents and people need a lease to change this document, so that only one does at a time."
          : "Everyone who may write can change this document at any time."}
      </p>
      {isRequired && (
        <p class="quiet" title={`Fence ${value.fence}`}>
          {held ? `Held by ${holderOf(held)} until ${timeOfDay(held.expiresAt)}.` : "Nobody holds it now."}
        </p>
      )}
      {may("documents.write") && (
        <button type="button" onClick={change}>
          {isRequired ? "Stop requiring a lease" : "Require a lease"}
        </button>
      )}
    </>
  );
}
