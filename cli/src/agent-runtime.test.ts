import { expect, it } from "vitest";
import { agentRuntime } from "./agent-runtime.ts";

it.each([
  [{ CLAUDECODE: "1" }, "claude-code"],
  [{ CODEX_SANDBOX: "seatbelt" }, "codex"],
  [{ GEMINI_CLI: "1" }, "gemini-cli"],
  [{ CURSOR_AGENT: "1" }, "cursor"],
  [{ OPENCODE: "1", AGENT: "1" }, "opencode"],
  [{ AGENT: "amp", CLAUDECODE: "1" }, "amp"],
  [{ CLAUDE_CODE_IS_COWORK: "1", CLAUDECODE: "1" }, "cowork"],
  [{ OR_APP_NAME: "Aider" }, "aider"],
  [{ AI_AGENT: "My-Agent@1.2", CLAUDECODE: "1" }, "my-agent"],
  [{ AI_AGENT: "claude-code_2-1-132_agent" }, "claude-code"],
  [{ AI_AGENT: "two words\r\n", GEMINI_CLI: "1" }, "gemini-cli"],
  [{ CLAUDECODE: "", AI_AGENT: "" }, undefined],
  [{ REPL_ID: "1", AGENT: "jenkins", OR_APP_NAME: "other", AIDER_MODEL: "x", GOOSE_PROVIDER: "x" }, undefined],
])("%j: is run by %s", (env, name) => {
  expect(agentRuntime(env)).toBe(name);
});
