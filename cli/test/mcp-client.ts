import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

/** `purser mcp`, for Node. */
export const MCP_SERVER = [fileURLToPath(new URL("../src/purser.ts", import.meta.url)), "mcp"] as const;

export type McpConnection = Awaited<ReturnType<typeof connectMcp>>;
/** An answer of a tool: the fields of its JSON. */
export type ToolAnswer = Awaited<ReturnType<McpConnection["call"]>>;

/** Starts the MCP server in a child process, and connects a client of the protocol to it. */
export async function connectMcp(cwd: string, env: Readonly<Record<string, string>>, ...flags: readonly string[]) {
  const client = new Client({ name: "test", version: "1.0.0" });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [...MCP_SERVER, ...flags], cwd, env: { ...env } }),
  );
  return {
    tools: async () => (await client.listTools()).tools,
    resources: async () => (await client.listResources()).resources.map(({ uri }) => uri),
    instructions: () => client.getInstructions() ?? "",
    async call(name: string, args: Readonly<Record<string, unknown>> = {}) {
      const { content, isError = false } = await client.callTool({ name, arguments: { ...args } });
      const [block] = content;
      if (content.length !== 1 || block?.type !== "text") throw new Error(`${name} did not answer with one text.`);
      const { data, next, error, what_to_do: whatToDo } = JSON.parse(block.text);
      return { text: block.text, isError, data, next, error, whatToDo };
    },
    async read(uri: string): Promise<string> {
      const { contents } = await client.readResource({ uri });
      return contents.map((one) => ("text" in one ? one.text : "")).join("");
    },
    close: () => client.close(),
  };
}
