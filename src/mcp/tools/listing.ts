// A tool as `tools/list` describes it. Of a tool that only reads, clients do not look at the hints about writes.

import type { Tool } from "./tool.ts";

/** The description of a tool on the wire. */
export function listedTool({
  name,
  title,
  description,
  arguments: properties,
  required,
  returns,
  behaviour,
}: Tool) {
  return {
    name,
    title,
    description,
    inputSchema: {
      type: "object" as const,
      properties,
      ...(required.length > 0 && { required: [...required] }),
    },
    ...(returns && { outputSchema: { type: "object" as const, properties: returns } }),
    annotations: {
      readOnlyHint: behaviour.readOnly === true,
      ...(!behaviour.readOnly && {
        destructiveHint: behaviour.destructive === true,
        idempotentHint: behaviour.idempotent === true,
      }),
      openWorldHint: behaviour.openWorld === true,
    },
  };
}
