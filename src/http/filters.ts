// The filters that lists and searches share, as query parameters. What they mean is decided where rows are read.

import { Type } from "@sinclair/typebox";

/** `tags`; `parseTagFilter` reads it. */
export const tagFilter = Type.Optional(
  Type.String({ description: "Tags, separated by commas: only records that have all of them." }),
);

export const workspaceFilter = Type.Optional(
  Type.String({ description: "Only records with this `workspaceId`." }),
);

export const includePublic = Type.Boolean({
  default: false,
  description: "Public records of other users too.",
});
