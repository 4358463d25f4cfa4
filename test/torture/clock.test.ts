// The short share of the group `clock` of bun run torture.

import { clock } from "../../scripts/torture/clock.ts";
import { testShare } from "./share.ts";

testShare("the clock jumps, and the process is stopped", clock, 0.03);
