import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const SERVER = fileURLToPath(new URL("mcp-server.ts", import.meta.url));

export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
  /** The parsed text. */
  readonly json: {
    readonly data: never;
    readonly next?: string;
    readonly error: never;
    readonly what_to_do: string;
  };
}

export type McpConnection = Awaited<ReturnType<typeof connectMcp>>;

/** Starts the MCP server in a child process, and connects a client of the protocol to it. */
export async function connectMcp(cwd: string, env: Readonly<Record<string, string>>) {
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [SERVER], cwd, env: { ...env } }));
  return {
    client,
    async call(name: string, args: Readonly<Record<string, unknown>> = {}): Promise<ToolAnswer> {
      const { content, isError = false } = await client.callTool({ name, arguments: { ...args } });
      const [block] = content;
      const text = block?.type === "text" ? block.text : "";
      return { text, isError, json: JSON.parse(text) };
    },
    async read(uri: string): Promise<string> {
      const { contents } = await client.readResource({ uri });
      return contents.map((one) => ("text" in one ? one.text : "")).join("");
    },
    close: () => client.close(),
  };
}
