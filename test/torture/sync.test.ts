// The short share of the group `sync` of bun run torture.

import { sync } from "../../scripts/torture/sync.ts";
import { testShare } from "./share.ts";

testShare("two servers and a client that is killed at random requests", sync, 0.02);
