// Operation of /console/api: moving a collection in the tree.

import { operationOf } from "../../../http/operation.ts";
import { ownCollection } from "../../collections/access.ts";
import { moveCollection } from "../../collections/move.ts";
import { common, moveBody } from "../contract.ts";

const declare = operationOf<object>();

export const collectionsApi = [
  declare({
    ...common,
    name: "console.collections.move",
    method: "PUT",
    path: "/console/api/collections/:id/parent",
    summary: "Move a collection into another one, or to the top level",
    requires: { anyOf: ["documents.write"] },
    body: moveBody,
    handle: ({ caller, id, body: { parentId }, commit }) =>
      commit((write) => {
        moveCollection(write, ownCollection(write, caller, id), parentId);
        return { status: 200, body: { success: true } };
      }),
  }),
];
