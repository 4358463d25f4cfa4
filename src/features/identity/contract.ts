// The wire shape of an identity.

import { type Static, Type } from "@sinclair/typebox";
import type { Identity } from "../../auth/identity.ts";
import { id, oneOf, text, texts } from "../../http/answers.ts";

export const identityShape = Type.Object(
  {
    kind: oneOf(["apiKey", "session", "machine"]),
    userId: id,
    email: text("owner@localhost"),
    name: Type.Optional(text("Ada")),
    permissions: texts("prompts.write", "documents.write"),
  },
  { $id: "Identity" },
);

export function identityToWire({
  kind,
  userId,
  email,
  name,
  scopes,
}: Identity): Static<typeof identityShape> {
  return { kind, userId, email, ...(name !== null && { name }), permissions: [...scopes] };
}
