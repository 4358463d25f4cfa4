// How to connect programs to this server, ready to be copied.

/** Snippets with the address of the server and a key. */
export function snippetsFor(origin: string, key: string): { name: string; text: string }[] {
  return [
    {
      name: "curl",
      text: `curl '${origin}/v1/search?q=kettle' -H 'Authorization: API-Key ${key}'`,
    },
    {
      name: "MCP over HTTP",
      text: JSON.stringify(
        { mcpServers: { ctxrepo: { url: `${origin}/mcp`, headers: { Authorization: `API-Key ${key}` } } } },
        null,
        2,
      ),
    },
    {
      name: "MCP over stdio",
      text: JSON.stringify({ mcpServers: { ctxrepo: { command: "ctxrepo", args: ["mcp"] } } }, null, 2),
    },
    {
      name: "TypeScript",
      text: `const reply = await fetch("${origin}/v1/documents", {
  method: "POST",
  headers: { Authorization: "API-Key ${key}", "Content-Type": "application/json", "User-Agent": "my-agent/1.0" },
  body: JSON.stringify({ title: "First note", content: "The kettle whistles." }),
});
console.log(await reply.json());`,
    },
    {
      name: "Python",
      text: `import requests

reply = requests.post(
    "${origin}/v1/documents",
    headers={"Authorization": "API-Key ${key}", "User-Agent": "my-agent/1.0"},
    json={"title": "First note", "content": "The kettle whistles."},
)
print(reply.json())`,
    },
    {
      name: "SDK for any language",
      text: `npx @hey-api/openapi-ts -i ${origin}/openapi.json -o ctxrepo-client`,
    },
  ];
}
