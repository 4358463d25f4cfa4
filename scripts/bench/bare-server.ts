// The baseline of the group http, in its own process: Bun.serve with a fixed JSON body of BYTES bytes. Prints its URL.
// Usage: bun bare-server.ts BYTES

const filler = Number(process.argv[2]) - JSON.stringify({ data: "" }).length;
const body = { data: "x".repeat(filler) };
const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => Response.json(body) });
console.log(server.url.origin);
