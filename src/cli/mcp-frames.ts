// The lines of MCP on stdin and stdout, and how each becomes a POST request and back: one JSON message per line, the
// headers that the protocol requires over HTTP, and the messages in a response.

/** A message from the client. */
export interface Frame {
  /** The line as it was read, so that no number in it changes. */
  text: string;
  /** Undefined for notifications, responses and batches. */
  id: string | number | undefined;
  method: string | undefined;
  /** For `notifications/cancelled`: the request that is cancelled. */
  cancelledId: string | number | undefined;
  /** Whether a response is expected: also to what is no message of JSON-RPC, so that the server says so. */
  expectsResponse: boolean;
  headers: Record<string, string>;
  /** What the client calls itself in `initialize`, as a header may contain it. */
  program?: string;
}

const VERSION_MEMBER = "io.modelcontextprotocol/protocolVersion";

/** Reads a line. Returns undefined if it is neither a JSON object nor a batch. */
export function readFrame(text: string): Frame | undefined {
  // biome-ignore lint/suspicious/noExplicitAny: JSON from the client
  let message: any;
  try {
    message = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof message !== "object" || message === null) return undefined;
  const { id, method, params } = message;
  const isMethod = typeof method === "string";
  const isRequest = isMethod && (typeof id === "string" || typeof id === "number");
  const isNotification = isMethod && id === undefined;
  const isResponse = Object.hasOwn(message, "result") || Object.hasOwn(message, "error");
  return {
    text,
    id: isRequest ? id : undefined,
    method: isMethod ? method : undefined,
    cancelledId: method === "notifications/cancelled" ? params?.requestId : undefined,
    expectsResponse: !isNotification && !isResponse,
    headers: isMethod ? headersOf(method, params) : {},
    ...(method === "initialize" && { program: programIn(params) }),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: JSON from the client
function programIn(params: any): string | undefined {
  const name = String(params?.clientInfo?.name ?? "").replaceAll(/[^\x21-\x2e\x30-\x7e]+/g, "-");
  return isHeaderText(name) ? name : undefined;
}

/** Since 2026-07-28, version, method and name are repeated in headers. Names may contain any character. */
// biome-ignore lint/suspicious/noExplicitAny: JSON from the client
function headersOf(method: string, params: any): Record<string, string> {
  const version = params?._meta?.[VERSION_MEMBER];
  if (typeof version !== "string" || !isHeaderText(version) || !isHeaderText(method)) return {};
  const name = params.name ?? params.uri;
  return {
    "MCP-Protocol-Version": version,
    "Mcp-Method": method,
    ...(typeof name === "string" && { "Mcp-Name": `=?base64?${Buffer.from(name).toString("base64")}?=` }),
  };
}

const isHeaderText = (text: string) => /^[\x21-\x7e]{1,200}$/.test(text);

/** A line that is longer than the maximum; its text is not kept. */
export const TOO_LONG = Symbol("too long");

/** The lines of a stream, without blank ones. */
export async function* linesOf(
  stream: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<string | typeof TOO_LONG> {
  let parts: Uint8Array[] = [];
  let length = 0;
  const end = (): string | typeof TOO_LONG => {
    const line = length > maxBytes ? TOO_LONG : Buffer.concat(parts).toString().trim();
    parts = [];
    length = 0;
    return line;
  };
  const add = (part: Uint8Array) => {
    length += part.length;
    if (length > maxBytes) parts = [];
    else parts.push(part);
  };
  for await (const chunk of stream) {
    let start = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, start)) {
      add(chunk.subarray(start, at));
      start = at + 1;
      const line = end();
      if (line !== "") yield line;
    }
    add(chunk.subarray(start));
  }
  const last = end();
  if (last !== "") yield last;
}

const NEWLINE = 0x0a;

/** The messages in a response, each as JSON text on one line, as soon as they arrive. */
export async function* messagesOf(response: Response): AsyncGenerator<string> {
  if (!response.headers.get("content-type")?.startsWith("text/event-stream")) {
    const text = (await response.text()).replace(/[\r\n]+/g, " ").trim();
    if (text !== "") yield text;
    return;
  }
  const lines = linesOf(response.body ?? new ReadableStream(), Number.POSITIVE_INFINITY);
  for await (const line of lines) {
    if (typeof line === "string" && line.startsWith("data:")) {
      const data = line.slice("data:".length).trim();
      if (data !== "") yield data;
    }
  }
}
