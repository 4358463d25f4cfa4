// Operations of /console/api: the records that a person has pinned, to find them on the start page.

import { hasScope, type Identity, requireScope } from "../../../auth/identity.ts";
import type { Store, TableReader } from "../../../db/store.ts";
import { operationOf } from "../../../http/operation.ts";
import { Failure, notFound } from "../../../kernel/errors.ts";
import { LIMITS } from "../../../kernel/limits.ts";
import { ownCollection } from "../../collections/access.ts";
import { ownDocument } from "../../documents/access.ts";
import { ownPrompt } from "../../prompts/access.ts";
import { common, emptyBody, pinBody } from "../contract.ts";
import type { Pin } from "../replies.ts";
import { countPins, deletePin, listPins, putPin } from "./store.ts";

/** What these operations need. */
export interface PinsDeps {
  store: Store;
}

const SCOPES = { document: "documents.read", prompt: "prompts.read", collection: "documents.read" } as const;
const TYPES = ["document", "prompt", "collection"] as const;
const OWN = { document: ownDocument, prompt: ownPrompt, collection: ownCollection } as const satisfies Record<
  Pin["type"],
  (reader: TableReader, caller: Identity, id: string) => unknown
>;

// Pinning changes no record.
const reads = { anyOf: ["documents.read", "prompts.read"] } as const;

const declare = operationOf<PinsDeps>();

export const pinsApi = [
  declare({
    ...common,
    name: "console.pins.list",
    method: "GET",
    path: "/console/api/pins",
    summary: "List the pinned records, the latest first",
    requires: reads,
    handle: ({ caller }, { store }) => {
      const types = TYPES.filter((type) => hasScope(caller, SCOPES[type]));
      return { status: 200, body: { data: listPins(store, caller.userId, types) } };
    },
  }),
  declare({
    ...common,
    name: "console.pins.put",
    method: "PUT",
    path: "/console/api/pins/:id",
    summary: "Pin a record",
    requires: reads,
    body: pinBody,
    handle({ caller, id, body: { type }, commit }) {
      requireScope(caller, { anyOf: [SCOPES[type]] });
      return commit((write) => {
        OWN[type](write, caller, id);
        putPin(write, caller.userId, { id, type });
        const { perUser } = LIMITS.pins;
        if (countPins(write, caller.userId) > perUser) {
          throw new Failure("unprocessable", `at most ${perUser} records can be pinned`);
        }
        return { status: 200, body: { success: true } };
      });
    },
  }),
  declare({
    ...common,
    name: "console.pins.delete",
    method: "DELETE",
    path: "/console/api/pins/:id",
    summary: "Pin a record no longer",
    requires: reads,
    body: emptyBody,
    bodyMayBeEmpty: true,
    handle: ({ caller, id, commit }) =>
      commit((write) => {
        if (!deletePin(write, caller.userId, id)) throw notFound("pin");
        return { status: 200, body: { success: true } };
      }),
  }),
];
