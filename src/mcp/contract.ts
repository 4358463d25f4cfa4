// The query of `POST /mcp`.

import { Type } from "@sinclair/typebox";
import { badRequest } from "../kernel/errors.ts";

export const mcpQuery = Type.Object({
  tools: Type.Optional(Type.String()),
  readOnly: Type.Boolean({ default: false }),
});

/** Throws `bad-request` for any other parameter: a misspelt `readOnly` must not give tools that write. */
export function requireKnownParameters(rawQuery: string): void {
  for (const name of new URLSearchParams(rawQuery).keys()) {
    if (Object.hasOwn(mcpQuery.properties, name)) continue;
    const known = Object.keys(mcpQuery.properties).join(" and ");
    throw badRequest({
      path: name.slice(0, 100),
      message: `is no parameter of /mcp, which accepts ${known}`,
    });
  }
}
