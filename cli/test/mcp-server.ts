import { readFileSync, writeFileSync } from "node:fs";
import { Purser } from "@purser/sdk";
import { serveMcp } from "../src/mcp/serve-mcp.ts";

/** Runs the MCP server on standard input and output, as the command does. The environment has the key. */
const { PURSER_AGENT_ID: agentId, MCP_PROJECT_ID: projectId, MCP_OPTIONS = "{}" } = process.env;
const purser = new Purser({ maxRetries: 5 });

await serveMcp({
  purser,
  operations: JSON.parse(readFileSync(new URL("../../openapi/operations.json", import.meta.url), "utf8")),
  mode: purser.mode ?? "test",
  agentId,
  projectId,
  folder: process.cwd(),
  writeEnvFile: async ({ path, bundle }) => {
    const names = Object.keys(bundle.env);
    writeFileSync(path, names.map((name) => `${name}=${JSON.stringify(bundle.env[name])}\n`).join(""), { mode: 0o600 });
    return { path, names };
  },
  ...JSON.parse(MCP_OPTIONS),
});
