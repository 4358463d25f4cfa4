// The short share of the group `disk` of bun run torture.

import { PARTS } from "../../scripts/torture/disk.ts";
import { testShare } from "./share.ts";

// Whether a disk is full again after space was made depends on how much is written in that time: only in the long run.
const { "full disk": _, ...parts } = PARTS;
for (const [name, part] of Object.entries(parts)) testShare(name, part, 0.03);
