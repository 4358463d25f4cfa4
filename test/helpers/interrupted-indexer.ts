// A server in a process of its own that never finishes indexing: its embedder does not return from the group of
// passages whose number is the second argument. Arguments: data directory, number of the group. Prints its URL, then
// `stuck`, one line each. It must not import bun:test.

import { openApp } from "../../src/app.ts";
import { readSettings } from "../../src/base/config.ts";
import { startJobs } from "../../src/job-handlers.ts";
import { serve } from "../../src/server.ts";
import { fakeEmbedder } from "./embedder.ts";

const [dataDir, stuckAt] = process.argv.slice(2);
if (dataDir === undefined || stuckAt === undefined) throw new Error("two arguments are needed");

const embedder = fakeEmbedder();
const embedPassages = embedder.embedPassages.bind(embedder);
let group = 0;
embedder.embedPassages = (passages) => {
  group++;
  if (group < Number(stuckAt)) return embedPassages(passages);
  // The groups before this one are written: a group is embedded only after that.
  console.log("stuck");
  return new Promise(() => {});
};
const app = openApp(readSettings({ dataDir, port: "0", logLevel: "warn" }, {}), { embedder });
console.log(serve(app).url);
startJobs(app);
