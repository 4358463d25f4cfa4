// A tool as `tools/list` describes it: the schema is strict and all four hints are set, because clients assume the
// worst of hints that are missing.

import type { Tool } from "./tool.ts";

/** The description of a tool on the wire. */
export function listedTool({ name, title, description, arguments: properties, required, behaviour }: Tool) {
  return {
    name,
    title,
    description,
    inputSchema: {
      type: "object" as const,
      properties,
      ...(required.length > 0 && { required: [...required] }),
      additionalProperties: false,
    },
    annotations: {
      readOnlyHint: behaviour.readOnly === true,
      destructiveHint: behaviour.destructive === true,
      idempotentHint: behaviour.idempotent === true,
      openWorldHint: behaviour.openWorld === true,
    },
  };
}
