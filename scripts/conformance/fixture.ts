// What the conformance suite of MCP expects a server to have: tools, resources and prompts of its own, added to those
// of ctxrepo. Not part of the program. It lacks what ctxrepo never does: to ask the client for input, and to log to it.

import type { CallToolResult, Server, ServerContext } from "@modelcontextprotocol/server";
import { createServer, type Served } from "../../src/mcp/protocol.ts";
import { listResources, RESOURCE_TEMPLATES, type readResource } from "../../src/mcp/resources.ts";
import { getPrompt, listPrompts } from "../../src/mcp/stored-prompts.ts";
import { listedTool } from "../../src/mcp/tools/listing.ts";

/** One red pixel. */
const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==";
/** No sample at all. */
const WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA=";

const text = (value: string) => ({ type: "text" as const, text: value });
const image = { type: "image" as const, data: PNG, mimeType: "image/png" };
const embedded = (uri: string, mimeType: string, value: string) => ({
  type: "resource" as const,
  resource: { uri, mimeType, text: value },
});

const CONTENTS = {
  test_simple_text: [text("This is a simple text response for testing.")],
  test_image_content: [image],
  test_audio_content: [{ type: "audio" as const, data: WAV, mimeType: "audio/wav" }],
  test_embedded_resource: [
    embedded("test://embedded-resource", "text/plain", "This is an embedded resource content."),
  ],
  test_multiple_content_types: [
    text("Multiple content types test:"),
    image,
    embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}'),
  ],
};
const TOOL_NAMES = [...Object.keys(CONTENTS), "test_error_handling", "test_tool_with_progress"];

const argument = (name: string) => ({ name, description: "An argument for testing", required: true });
const PROMPTS = [
  { name: "test_simple_prompt", description: "A prompt for testing" },
  {
    name: "test_prompt_with_arguments",
    description: "A prompt for testing",
    arguments: [argument("arg1"), argument("arg2")],
  },
  {
    name: "test_prompt_with_embedded_resource",
    description: "A prompt for testing",
    arguments: [argument("resourceUri")],
  },
  { name: "test_prompt_with_image", description: "A prompt for testing" },
];

/** A server of ctxrepo with the fixtures. */
export function createFixtureServer(served: Served): Server {
  const server = createServer(served);
  const { session } = served;
  if (!session) return server;
  server.setRequestHandler("tools/list", () => ({
    tools: [
      ...served.tools.map(listedTool),
      ...TOOL_NAMES.map((name) => ({
        name,
        description: "A tool for testing",
        inputSchema: { type: "object" as const },
      })),
    ],
  }));
  const call = handlerOf(served, "tools/call");
  server.setRequestHandler("tools/call", async (request, context) => {
    const { name } = request.params;
    if (name === "test_error_handling") return { content: [text("This tool fails.")], isError: true };
    if (name === "test_tool_with_progress") return reportProgress(context);
    const content = CONTENTS[name as keyof typeof CONTENTS];
    return content ? { content } : (call(request, context) as Promise<CallToolResult>);
  });
  server.setRequestHandler("resources/list", async ({ params }) => {
    const own = await listResources(session, params?.cursor);
    const fixtures = [
      { uri: "test://static-text", name: "text", mimeType: "text/plain" },
      { uri: "test://static-binary", name: "binary", mimeType: "image/png" },
    ];
    return { ...own, resources: [...own.resources, ...fixtures] };
  });
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: [
      ...RESOURCE_TEMPLATES,
      { uriTemplate: "test://template/{id}/data", name: "template" },
    ],
  }));
  const read = handlerOf(served, "resources/read");
  server.setRequestHandler("resources/read", async (request, context) => {
    const { uri } = request.params;
    const mimeType = "text/plain";
    if (uri === "test://static-text") return { contents: [{ uri, mimeType, text: "A static text." }] };
    if (uri === "test://static-binary") return { contents: [{ uri, mimeType: "image/png", blob: PNG }] };
    const [, id] = /^test:\/\/template\/(.+)\/data$/.exec(uri) ?? [];
    if (id !== undefined) return { contents: [{ uri, mimeType, text: `Data for ID: ${id}` }] };
    return read(request, context) as ReturnType<typeof readResource>;
  });
  server.setRequestHandler("prompts/list", async ({ params }) => {
    const own = await listPrompts(session, params?.cursor);
    return { ...own, prompts: [...own.prompts, ...PROMPTS] };
  });
  server.setRequestHandler("prompts/get", async ({ params: { name, arguments: given = {} } }) => {
    const user = (content: object) => ({ role: "user" as const, content });
    const messages: Record<string, object[]> = {
      test_simple_prompt: [user(text("This is a simple prompt for testing."))],
      test_prompt_with_arguments: [
        user(text(`Prompt with arguments: arg1='${given.arg1}', arg2='${given.arg2}'`)),
      ],
      test_prompt_with_embedded_resource: [
        user(embedded(given.resourceUri ?? "", "text/plain", "Embedded resource content for testing.")),
        user(text("Please process the embedded resource above.")),
      ],
      test_prompt_with_image: [user(image), user(text("Please analyze the image above."))],
    };
    const found = messages[name];
    return (found ? { messages: found } : await getPrompt(session, { name, given })) as Awaited<
      ReturnType<typeof getPrompt>
    >;
  });
  return server;
}

type Handler = (request: object, context: ServerContext) => unknown;

/** The program's own handler of a method. The SDK has no way to ask for it. */
function handlerOf(served: Served, method: string): Handler {
  const handlers = (createServer(served) as unknown as { _requestHandlers: Map<string, Handler> })
    ._requestHandlers;
  return handlers.get(method)!;
}

async function reportProgress({ mcpReq }: ServerContext) {
  const progressToken = mcpReq._meta?.progressToken;
  for (const progress of [0, 50, 100]) {
    if (progressToken !== undefined) {
      await mcpReq.notify({
        method: "notifications/progress",
        params: { progressToken, progress, total: 100 },
      });
    }
    await Bun.sleep(50);
  }
  return { content: [text("Done.")] };
}
