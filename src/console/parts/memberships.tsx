// The collections of one record: which, adding to one, and removing.

import { messageOf, write } from "../api/request.ts";
import { may } from "../api/session.ts";
import type { Membership } from "../../features/console/replies.ts";
import { notify } from "../frame/notices.tsx";
import { CollectionSelect } from "./collection-select.tsx";
import { changesOf, useRead } from "./load.ts";

interface MembershipsProps {
  id: string;
  type: "document" | "prompt";
}

export function Memberships({ id, type }: MembershipsProps) {
  const { value = [], reload } = useRead<Membership[]>(`/console/api/records/${id}/collections`, {
    concerns: changesOf(["collection"]),
  });
  const change = async (method: "POST" | "PUT", collectionId: string) => {
    try {
      await write(method, `/v1/collections/${collectionId}/items`, {
        body: { itemType: type, itemIds: [id] },
      });
    } catch (error) {
      notify(messageOf(error), { kind: "failed" });
    }
    reload();
  };
  return (
    <>
      <h2>Collections</h2>
      <ul class="plain">
        {value.map((collection) => (
          <li key={collection.id}>
            <a href={`/console/collections/${collection.id}`}>
              {collection.icon} {collection.name}
            </a>{" "}
            {may("documents.write") && (
              <button
                type="button"
                class="small"
                aria-label={`Remove from ${collection.name}`}
                onClick={() => change("PUT", collection.id)}
              >
                Remove
              </button>
            )}
          </li>
        ))}
      </ul>
      {may("documents.write") && (
        <CollectionSelect
          label="Add to a collection"
          none="Choose…"
          value=""
          onChange={(collectionId) => collectionId !== "" && change("POST", collectionId)}
        />
      )}
    </>
  );
}
