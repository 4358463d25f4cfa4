// `ctxrepo mcp` as a process that a test writes lines to and reads lines from.

import { mcpCommand, type StdioOptions } from "./mcp.ts";

// biome-ignore lint/suspicious/noExplicitAny: tests reach into JSON
type Json = any;

export interface McpProgram {
  pid: number;
  /** Everything written to stdout so far. */
  stdout(): string;
  stderr(): string;
  write(line: string): void;
  /** Sends a request and waits for its response. Throws if the process ends before. */
  ask(method: string, params?: object): Promise<Json>;
  /** Calls a tool and returns its result. */
  tool(name: string, given?: object): Promise<Json>;
  /** Closes stdin. */
  end(): void;
  /** Stops reading stdout, as a client that has crashed. */
  stopReading(): Promise<void>;
  kill(signal: NodeJS.Signals): void;
  exited: Promise<number>;
}

/** Starts the program. */
export function startMcp(options: StdioOptions): McpProgram {
  const { command, args, env } = mcpCommand(options);
  const child = Bun.spawn([command, ...args], { env, stdin: "pipe", stdout: "pipe", stderr: "pipe" });
  let stdout = "";
  let stderr = "";
  const waiting = new Map<number, { resolve(message: Json): void; reject(error: Error): void }>();
  const reader = child.stdout.getReader();
  const decoder = new TextDecoder();
  let taken = 0;
  const reading = (async () => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      stdout += decoder.decode(value, { stream: true });
      for (let end = stdout.indexOf("\n", taken); end >= 0; end = stdout.indexOf("\n", taken)) {
        const message = JSON.parse(stdout.slice(taken, end));
        taken = end + 1;
        waiting.get(message.id)?.resolve(message);
        waiting.delete(message.id);
      }
    }
    const code = await child.exited;
    for (const { reject } of waiting.values())
      reject(new Error(`the program exited with ${code}: ${stderr}`));
  })();
  reading.catch(() => {});
  (async () => {
    for await (const part of child.stderr) stderr += Buffer.from(part).toString();
  })();
  let lastId = 0;
  const ask: McpProgram["ask"] = (method, params = {}) => {
    const id = ++lastId;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      write(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    });
  };
  const write = (line: string) => {
    child.stdin.write(`${line}\n`);
    child.stdin.flush();
  };
  return {
    pid: child.pid,
    stdout: () => stdout,
    stderr: () => stderr,
    write,
    ask,
    async tool(name, given = {}) {
      const { result, error } = await ask("tools/call", { name, arguments: given });
      if (error) throw new Error(JSON.stringify(error));
      return result;
    },
    end: () => child.stdin.end(),
    stopReading: () => reader.cancel(),
    kill: (signal) => child.kill(signal),
    exited: child.exited,
  };
}
