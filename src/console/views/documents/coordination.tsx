// Whether changes of a document need a lease, and who holds it.

import { messageOf } from "../../api/request.ts";
import { may } from "../../api/session.ts";
import { notify } from "../../frame/notices.tsx";
import { changesOf, useLoad } from "../../parts/load.ts";
import { dateTime } from "../../text/format.ts";
import { loadCoordination, type Stored, setLeaseRequired } from "./stored.ts";

interface CoordinationProps {
  stored: Stored;
  reload(): void;
}

export function CoordinationPanel({ stored }: CoordinationProps) {
  const { id, status } = stored.document;
  const { value, reload } = useLoad((signal) => loadCoordination(id, signal), [id, stored.etag], {
    concerns: changesOf(["document"], id),
  });
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
        <p class="quiet">
          Fence {value.fence}.{" "}
          {value.lease.state === "held" && value.lease.expiresAt !== undefined ? (
            <>
              A lease is held{value.lease.heldByCaller ? " by you" : ""} until{" "}
              {dateTime(value.lease.expiresAt)}.
            </>
          ) : (
            "No lease is held."
          )}
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
