import { resolve } from "node:path";
import { type Command, Option } from "commander";
import { CliError, EXIT_CODES } from "../cli-error.ts";
import type { Program } from "../command-groups.ts";
import { groupOf } from "../command-groups.ts";
import type { Context } from "../context.ts";
import { changeLines, type EnvFilePlan, planEnvFile } from "../env/env-file.ts";
import { ENV_FORMATS, type EnvFormat, envFilePath, type PulledEnv } from "../env/env-format.ts";
import { runCommand } from "../env/run-command.ts";
import { type EnvFile, readEnvFile, writeFileAtomically } from "../env/write-env-file.ts";
import { confirm } from "../prompts.ts";

interface EnvOptions {
  readonly environment?: string;
  readonly format?: EnvFormat;
  readonly file?: string;
  readonly check?: boolean;
}

export function environmentCommands({ program, run }: Program): void {
  const group = groupOf(program, ["env"]).summary("The project's variables: pull, diff, run");
  const named = (name: string, description: string) => withEnvironment(group.command(name).description(description));
  withFile(named("pull", "Write the project's variables into a file. Its other lines stay as they are."))
    .option("--check", "Write nothing. Exit code 10 if the file is not current.")
    .action(run((context, options) => pull(context, options)));
  withFile(named("diff", "Print the names of the variables that a pull would add, change and remove.")).action(
    run((context, options) => pull(context, { ...options, check: true }, { isDiff: true })),
  );
  named("run", "Run a command with the project's variables, without a file: purser env run -- npm start")
    .argument("<command...>")
    .hook("preAction", (_program, command) => requireSeparator(command))
    .action(run((context, options, [words]) => runWithVariables(context, options, words as unknown as string[])));
}

function withEnvironment(command: Command): Command {
  return command.option("--environment <name>", "Default: development.");
}

function withFile(command: Command): Command {
  return command
    .addOption(new Option("--format <name>", "Default: dotenv.").choices(ENV_FORMATS))
    .option("--file <path>", "Default for dotenv: .env.");
}

async function pullBundle(
  { client, requireProject, signal }: Context,
  { environment }: EnvOptions,
): Promise<PulledEnv & { warnings: readonly string[] }> {
  const projectId = requireProject();
  // Verifies the signature and the fingerprint, so nothing is planned from a bundle that was changed on its way.
  return (await client()).projects.env.pull(projectId, { ...(environment && { environment }) }, { signal });
}

async function pull(context: Context, options: EnvOptions, { isDiff = false } = {}): Promise<number> {
  const { format = "dotenv", check = false } = options;
  const { output, folder } = context;
  output.refuseFile();
  const path = resolve(folder, envFilePath(format, options.file));
  const bundle = await pullBundle(context, options);
  const file = await readEnvFile(path);
  const plan = planEnvFile(file.bytes, bundle, format);
  for (const warning of [...plan.warnings, ...bundle.warnings.map(warningText)]) output.warn(warning);
  const isWritten = !check && !plan.isCurrent;
  if (isWritten) await write(context, { file, plan });
  const { environment, fingerprint } = bundle;
  const { isCurrent, changes } = plan;
  const data = {
    file: path,
    format,
    environment,
    fingerprint,
    is_current: isCurrent,
    is_written: isWritten,
    ...changes,
  };
  const lines = changeLines(changes).map((line) => `${line}\n`);
  const verdict = isCurrent ? `${path} is current.\n` : `${lines.join("")}${isWritten ? `Wrote ${path}.\n` : ""}`;
  output.result({ data, text: verdict, nextSteps: check && !isCurrent ? ["purser env pull"] : [] });
  return check && !isDiff && !isCurrent ? EXIT_CODES.drift : EXIT_CODES.ok;
}

/** Asks before it changes variables that the file already has. New ones are no loss. */
async function write(
  { terminal, options, output }: Context,
  { file, plan }: { file: EnvFile; plan: EnvFilePlan },
): Promise<void> {
  const { changed, removed } = plan.changes;
  if (terminal.canAsk && changed.length + removed.length > 0) {
    for (const line of changeLines(plan.changes)) output.note(line);
    await confirm(`Write ${file.path}?`, { terminal, yes: options.yes ?? false });
  }
  for (const warning of await writeFileAtomically(file, plan.next)) output.warn(warning);
}

async function runWithVariables(context: Context, options: EnvOptions, [command, ...args]: string[]): Promise<number> {
  context.output.refuseFile();
  if (command === undefined) {
    throw new CliError({
      message: "Which command?",
      code: "command_missing",
      exitCode: EXIT_CODES.usage,
      nextSteps: ["purser env run -- npm start"],
    });
  }
  const { env } = await pullBundle(context, options);
  // Ctrl-C ends the command, whose exit code is this one's.
  context.leaveInterruption();
  return runCommand({ command, args, variables: env, parentEnv: context.terminal.environment });
}

/** Without `--`, options of the command that have the names of own ones would be taken from it. */
function requireSeparator(command: Command): void {
  let root = command;
  while (root.parent !== null) root = root.parent;
  const { rawArgs } = root as Command & { readonly rawArgs: readonly string[] };
  if (!rawArgs.includes("--")) command.error("error: write -- before the command: purser env run -- npm start");
}

/** `dotenv_unportable:NAME` is for programs. */
function warningText(warning: string): string {
  const [code, name] = warning.split(":");
  return code === "dotenv_unportable"
    ? `Some programs read the value of ${name} in a .env file otherwise. \`purser env run\` passes it as it is.`
    : warning;
}
