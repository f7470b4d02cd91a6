import { readFileSync, writeFileSync } from "node:fs";
import { Purser } from "@purser/sdk";
import { serveMcp } from "../src/mcp/serve-mcp.ts";

/** Runs the MCP server on standard input and output, as the command does. The environment has the key. */
const { PURSER_AGENT_ID: agentId, MCP_PROJECT_ID: projectId, MCP_OPTIONS = "{}" } = process.env;
const purser = new Purser();

await serveMcp({
  purser,
  operations: JSON.parse(readFileSync(new URL("../../openapi/operations.json", import.meta.url), "utf8")),
  mode: purser.mode ?? "test",
  agentId,
  projectId,
  folder: process.cwd(),
  writeEnvFile: async ({ path, bundle }) => {
    const lines = Object.entries(bundle.env).map(([name, value]) => `${name}=${JSON.stringify(value)}\n`);
    writeFileSync(path, lines.join(""), { mode: 0o600 });
    return { path, names: Object.keys(bundle.env) };
  },
  ...JSON.parse(MCP_OPTIONS),
});
