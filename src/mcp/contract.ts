// The query of `POST /mcp`.

import { Type } from "@sinclair/typebox";

export const mcpQuery = Type.Object({
  tools: Type.Optional(Type.String()),
  readOnly: Type.Boolean({ default: false }),
});
