// The server without background jobs, in its own process: the cost of a create while nothing is indexed. Prints its URL
// and a key as one line of JSON. Usage: bun quiet-server.ts DATA_DIR

import { openApp } from "../../src/app.ts";
import { createKey } from "../../src/auth/keys.ts";
import { ensureUser, LOCAL_OWNER } from "../../src/auth/users.ts";
import { readSettings } from "../../src/base/config.ts";
import { serve } from "../../src/server.ts";

const app = openApp(
  readSettings(
    { dataDir: process.argv[2], port: "0", logLevel: "warn", rateLimitRead: "0", rateLimitWrite: "0" },
    {},
  ),
);
const { url } = serve(app);
const { key } = app.store.write((write) =>
  createKey(write, ensureUser(write, LOCAL_OWNER), { name: null, scopes: ["documents.write"] }),
);
console.log(JSON.stringify({ url, key }));
