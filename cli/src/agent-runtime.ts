/**
 * The variables that agents' programs set for the commands that they run. `REPL_ID` and `TERM_PROGRAM` are no sign of an agent,
 * because people's terminals have them too, nor are variables that only configure an agent. Order matters: Amp and Cowork also
 * set `CLAUDECODE`.
 */
const RUNTIMES: readonly (readonly [name: string, variable: string, value?: string])[] = [
  ["amp", "AGENT", "amp"],
  ["goose", "AGENT", "goose"],
  ["cowork", "CLAUDE_CODE_IS_COWORK"],
  ["claude-code", "CLAUDECODE"],
  ["claude-code", "CLAUDE_CODE"],
  ["codex", "CODEX_SANDBOX"],
  ["codex", "CODEX_SANDBOX_NETWORK_DISABLED"],
  ["codex", "CODEX_THREAD_ID"],
  ["codex", "CODEX_CI"],
  ["gemini-cli", "GEMINI_CLI"],
  ["cursor", "CURSOR_AGENT"],
  ["cursor", "CURSOR_EXTENSION_HOST_ROLE", "agent-exec"],
  ["copilot-cli", "COPILOT_CLI"],
  ["opencode", "OPENCODE"],
  ["cline", "CLINE_ACTIVE"],
  ["antigravity", "ANTIGRAVITY_AGENT"],
  ["augment", "AUGMENT_AGENT"],
  ["aider", "OR_APP_NAME", "Aider"],
];

/**
 * Returns the name of the agent's program that runs this process, in lower case, for example `claude-code`. Undefined if there is
 * no sign of one. A program that is not in the list can name itself in `AI_AGENT`, with a version as in `devin@1`.
 */
export function agentRuntime(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const named = /^([a-z][\w-]{0,63}?)(?:@.*|_\d.*)?$/i.exec(env["AI_AGENT"] ?? "")?.[1];
  if (named !== undefined) return named.toLowerCase();
  return RUNTIMES.find(([, variable, value]) => (value === undefined ? env[variable] : env[variable] === value))?.[0];
}
