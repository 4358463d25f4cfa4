// The short share of the group `disk` of bun run torture.

import { PARTS } from "../../scripts/torture/disk.ts";
import { testShare } from "./share.ts";

for (const [name, part] of Object.entries(PARTS)) testShare(name, part, 0.03);
