// Operation of /console/api: labels on versions of prompts. Any client reads them by the public API.

import { operationOf } from "../../../http/operation.ts";
import { ownPrompt } from "../../prompts/access.ts";
import { setLabel } from "../../prompts/labels/labels.ts";
import { common, labelBody } from "../contract.ts";

const declare = operationOf<object>();

export const labelsApi = [
  declare({
    ...common,
    name: "console.prompts.label",
    method: "PUT",
    path: "/console/api/prompts/:id/labels",
    summary: "Put a label on a version of a prompt, or take it off",
    requires: { anyOf: ["prompts.write"] },
    body: labelBody,
    handle: ({ caller, id, body, commit }) =>
      commit((write) => {
        setLabel(write, ownPrompt(write, caller, id).id, body);
        return { status: 200, body: { success: true } };
      }),
  }),
];
