import type { Command } from "commander";
import { kebabCase } from "./name-case.ts";
import { SHORTCUTS } from "./operation/command-facts.ts";
import type { RunCommand } from "./run-command.ts";

export const SHORT = "Shortcuts";

/** What the files of commands add to. */
export interface Program {
  readonly program: Command;
  readonly run: RunCommand;
  /** Writes to standard output. */
  readonly out: (text: string) => void;
}

const GROUPS: Readonly<Record<string, string>> = {
  developers: "Accounts, logins and API keys",
  projects: "Projects, their services, variables, links and costs",
  agents: "Agents, their keys and budgets",
  wallets: "Wallets, balances and freezes",
  payments: "Payments: send, capture, void, refund",
  policies: "Policies: what agents may do",
  approvals: "What waits for a person",
  fiat: "Bank accounts, rates and conversions",
  invoices: "Invoices of all projects",
  operations: "Long operations and their steps",
  events: "What has happened. `purser listen` follows it",
  webhooks: "Events that are sent to your server",
  audit: "The audit trail, and its verification",
  "kill-switch": "Stop everything at once",
  admin: "Logins of admins",
  billing: "Payment methods",
  "emailed-tokens": "The tokens in Purser's emails",
  devices: "Logins of machines, which a person approves",
  identities: "Linked Google and GitHub accounts",
  "provider-keys": "Your keys at providers",
  accounts: "Linked bank accounts",
  conversions: "Dollars into USDC, and back",
};

/** Returns the command of a group, and creates it if it is new. */
export function groupOf(program: Command, names: readonly string[]): Command {
  return names.reduce((parent, name) => {
    const word = kebabCase(name);
    const found = parent.commands.find((one) => one.name() === word);
    if (found !== undefined) return found;
    const group = parent
      .command(word)
      .summary(GROUPS[word] ?? "")
      .helpCommand(false);
    return parent === program && name in SHORTCUTS
      ? group.helpGroup(SHORT).summary(`Short for ${SHORTCUTS[name]?.map(kebabCase).join(" ")}`)
      : group;
  }, program);
}
