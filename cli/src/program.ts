import { VERSION } from "@purser/sdk";
import { Command } from "commander";
import { USAGE_HINT } from "./cli-error.ts";
import { groupOf, type Program, SHORT } from "./command-groups.ts";
import { accountCommands } from "./commands/account.ts";
import { environmentCommands } from "./commands/environment.ts";
import { folderCommands } from "./commands/folder.ts";
import { listenCommand } from "./commands/listen.ts";
import { mcpCommand } from "./commands/mcp.ts";
import { signingCommands } from "./commands/signing.ts";
import { verificationCommands } from "./commands/verification.ts";
import { waitingCommands } from "./commands/waiting.ts";
import { completionCommands } from "./completion.ts";
import { kebabCase } from "./name-case.ts";
import { BY_HAND, SHORTCUTS } from "./operation/command-facts.ts";
import { operationCommand } from "./operation/operation-command.ts";
import { type Operation, operations } from "./operation/table.ts";
import type { RunCommand } from "./run-command.ts";
import type { Terminal } from "./terminal.ts";

const FIRST = "Start here";
const API = "The whole API";

/** Returns the whole command line. `run` executes an action and ends with its exit code. */
export function createProgram(run: RunCommand, { out, err }: Pick<Terminal, "out" | "err">): Command {
  const program = new Command("purser")
    .description("Budgets, services and wallets for software agents.")
    .usage("<command> [options]")
    .option("--json", "Print JSON, as when standard output is no terminal.")
    .option("--profile <name>", "Use this login.")
    .option("--base-url <url>", "Use this server.")
    .option("--project <id>", "Default: the folder's project.")
    .option("--agent <id>", "Act as this agent. Default: the folder's agent.")
    .option("--yes", "Answer every question with yes.")
    .option("--no-wait", "Do not wait until a long operation has ended.")
    .option("--output <file>", "Write the data, with secrets, into a new file that only you can read.")
    .option("--reveal", "Print the values of environments.")
    .option("--verbose", "Print the requests.")
    .addHelpText("after", "\n`purser --version` prints the version. Add --help to any command.")
    .configureOutput({ writeOut: out, writeErr: err })
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .showSuggestionAfterError(true)
    .showHelpAfterError(USAGE_HINT)
    .helpOption("-h, --help", "Print this help.")
    .helpCommand(false);
  const written: Program = { program, run, out };
  program.commandsGroup(FIRST);
  for (const add of [accountCommands, folderCommands, environmentCommands]) add(written);
  program.commandsGroup("Tools");
  for (const add of [mcpCommand, listenCommand, signingCommands, completionCommands]) add(written);
  program.commandsGroup(API);
  for (const operation of operations()) addOperation(program, operation, run);
  verificationCommands(written);
  waitingCommands(written);
  inheritSettings(program.version(VERSION, "-V", "Print the version.").exitOverride());
  return program;
}

/** The parser passes settings only to commands that it creates itself. */
function inheritSettings(parent: Command): void {
  for (const command of parent.commands) inheritSettings(command.copyInheritedSettings(parent));
}

function addOperation(program: Command, operation: Operation, run: RunCommand): void {
  const { sdk } = operation;
  if (BY_HAND.has(sdk.join("."))) return;
  const groups = sdk.slice(0, -1);
  groupOf(program, groups).addCommand(operationCommand(operation, kebabCase(sdk.at(-1) ?? ""), run));
  for (const [name, target] of Object.entries(SHORTCUTS)) {
    if (!target.every((part, index) => sdk[index] === part)) continue;
    const rest = sdk.slice(target.length);
    const parent = rest.length === 0 ? program : groupOf(program, [name, ...rest.slice(0, -1)]);
    const command = operationCommand(operation, kebabCase(rest.at(-1) ?? name), run);
    parent.addCommand(rest.length === 0 ? command.helpGroup(SHORT) : command);
  }
}

/** `purser help pay` is `purser pay --help`. Without the option, a command that does not exist is an error. */
export function wordsOf([first = "", ...others]: readonly string[], { commands }: Command): string[] {
  const [asked = "-"] = others;
  const isKnown = asked.startsWith("-") || commands.some((command) => command.name() === asked);
  if (first === "help") return isKnown ? [...others, "--help"] : [asked];
  return first === "" ? [] : [first, ...others];
}
