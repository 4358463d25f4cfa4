// Reads collections with their items for an export.

import { dataOf } from "../../requests/reply.ts";
import type { Client } from "../client.ts";
import type { ExportedCollection } from "../../importing/export-layout.ts";
import { walk } from "../../requests/walk.ts";

/** A collection whose items are still ids. */
export type CollectionToExport = Omit<ExportedCollection, "items"> & { itemIds: string[] };

/** All collections of the user, oldest first, with the ids of their items in the collection's order. */
export async function readCollections(client: Client): Promise<CollectionToExport[]> {
  const collections: CollectionToExport[] = [];
  for await (const { id } of walk(client, "/v1/collections")) {
    const reply = await client.request("GET", `/v1/collections/${id}`);
    if (reply.status === 404) continue;
    const { name, description, color, icon, isPublic, tags, workspaceId, parentCollectionId } = dataOf(reply);
    const itemIds: string[] = [];
    for await (const item of walk(client, `/v1/collections/${id}/items`)) itemIds.push(item.itemId);
    // The list is newest first; adding the items in this order restores it.
    itemIds.reverse();
    collections.push({
      id,
      name,
      description,
      color,
      icon,
      isPublic,
      tags,
      workspaceId,
      parent: parentCollectionId,
      itemIds,
    });
  }
  return collections.reverse();
}
