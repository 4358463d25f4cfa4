// The filters that lists and searches share, as query parameters. What they mean is decided where rows are read.

import { Type } from "@sinclair/typebox";

/** `tags`; `parseTagFilter` reads it. */
export const tagFilter = Type.Optional(
  Type.String({ description: "Tags, separated by commas. Only records that have all of them are returned." }),
);

export const workspaceFilter = Type.Optional(
  Type.String({ description: "Only records with this `workspaceId` are returned." }),
);

export const includePublic = Type.Boolean({
  default: false,
  description: "Also return public records of other users.",
});
