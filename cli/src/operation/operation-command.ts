import { randomUUID } from "node:crypto";
import { APIConnectionError } from "@purser/sdk";
import { Command } from "commander";
import { CliError, EXIT_CODES } from "../cli-error.ts";
import type { Context } from "../context.ts";
import { confirm } from "../prompts.ts";
import type { RunCommand } from "../run-command.ts";
import { factsOf, needsApproval, nextStepsOf } from "./command-facts.ts";
import { type OperationRequest, positionalsOf, requestOf, send } from "./request.ts";
import { addRequestOptions, bodyFields } from "./request-options.ts";
import { findOperation, type Operation } from "./table.ts";
import { waitForResult } from "./wait.ts";

/** More pages are read with `--cursor`. */
const PAGES_MAX = 1_000;

/** Returns the command of an operation of the API. */
export function operationCommand(operation: Operation, name: string, run: RunCommand): Command {
  const { positionals, positionalField } = positionalsOf(operation);
  const command = new Command(name).summary(operation.summary).description(operation.description.replaceAll("`", ""));
  // None is mandatory for the parser: a person is asked for what is missing.
  const names = [...positionals.map(({ name: id }) => id), ...(positionalField === undefined ? [] : [positionalField])];
  for (const id of names) command.argument(`[${id}]`);
  const words = names.map((id) =>
    positionals.some((one) => one.name === id && one.isRequired) ? `<${id}>` : `[${id}]`,
  );
  command.usage(["[options]", ...words].join(" "));
  addRequestOptions(command, operation);
  if (factsOf(operation).needsAgent) command.addHelpText("after", "\nIt needs --agent, or the folder's agent.");
  const hasKey = operation.method === "POST" || operation.method === "PATCH";
  if (hasKey && !bodyFields(operation).some(({ name: field }) => field === "idempotency_key")) {
    command.option("--idempotency-key <uuid>", "Repeating a command with the same key does nothing twice.");
  }
  if (factsOf(operation).dryRun !== undefined) command.option("--dry-run", "Say what would happen, without doing it.");
  return command.action(run(async (context, values, args) => execute(operation, context, { values, args })));
}

interface Typed {
  readonly values: Readonly<Record<string, unknown>>;
  readonly args: readonly (string | undefined)[];
}

async function execute(operation: Operation, context: Context, typed: Typed): Promise<number> {
  const { values } = typed;
  const { dryRun } = factsOf(operation);
  const isDryRun = values["dryRun"] === true;
  const request = await requestOf(operation, typed, context);
  if (!isDryRun) await checkBefore(operation, context, request);
  const executed = isDryRun && dryRun !== undefined ? findOperation(dryRun) : operation;
  const client = operation.access === "public" ? context.publicClient() : await context.client();
  // Made here, so that a failure without an answer can name it.
  const idempotencyKey = textOf(values["idempotencyKey"]) ?? randomUUID();
  const options = { idempotencyKey, signal: context.signal };
  const read = (page: OperationRequest) =>
    send(client, executed, page, options).catch((error: unknown) => {
      // Other methods can be repeated as they are.
      const isOnce = operation.method === "POST" || operation.method === "PATCH";
      throw isOnce ? unknownOutcome(error, idempotencyKey) : error;
    });
  const first = await read(isDryRun ? { ...request, path: pathOf(executed, operation, request) } : request);
  const data =
    values["all"] === true ? await readAll(first, request, read) : await waitForResult(first, client, context);
  context.output.result({ data, nextSteps: nextStepsOf(executed, data) });
  return exitCodeOf(data, isDryRun);
}

/** A dry run ends as the command itself would. */
function exitCodeOf(data: unknown, isDryRun: boolean): number {
  const { outcome } = Object(data);
  if (isDryRun && outcome === "deny") return EXIT_CODES.error;
  return needsApproval(data) || (isDryRun && outcome === "require_approval")
    ? EXIT_CODES.confirmationNeeded
    : EXIT_CODES.ok;
}

/** Refuses or asks, before anything is sent. */
async function checkBefore(operation: Operation, context: Context, request: OperationRequest): Promise<void> {
  const { question, showsSecretOnce = false } = factsOf(operation);
  if (showsSecretOnce) checkSecretPlace(context);
  if (question === undefined) return;
  // Says what is meant, which can be the folder's project.
  await confirm(question.replace("?", ` (${subjectOf(operation, request)})?`), {
    terminal: context.terminal,
    yes: context.options.yes ?? false,
  });
}

/** Returns the ids in the path, or what the body names: `proj_…, srv_…`, or `agent …`. */
function subjectOf({ path }: Operation, request: OperationRequest): string {
  const sent = request.path.split("/");
  const ids = path.split("/").flatMap((part, index) => (part.startsWith("{") ? [sent[index]] : []));
  const { scope, id } = request.body ?? {};
  return ids.length > 0 ? ids.join(", ") : `${scope} ${id}`;
}

function unknownOutcome(error: unknown, idempotencyKey: string): unknown {
  if (!(error instanceof APIConnectionError)) return error;
  return new CliError({
    message: `${error.message} Whether the request was executed is unknown.`,
    code: "no_response",
    exitCode: EXIT_CODES.network,
    nextSteps: [`Repeat it with --idempotency-key ${idempotencyKey}: it is then executed only once.`, "purser doctor"],
    cause: error,
  });
}

/** In an agent's program, whatever is printed becomes part of the conversation. */
function checkSecretPlace({ output, terminal }: Context): void {
  if (terminal.agentProgram === undefined || output.isFile) return;
  throw new CliError({
    message: `The answer has a secret that is shown only once, and ${terminal.agentProgram} would read it.`,
    code: "secret_needs_file",
    exitCode: EXIT_CODES.usage,
    nextSteps: ["Pass --output FILE. The file gets the secret, and only you can read it."],
  });
}

/** The operation of a dry run has the same ids in its path. */
function pathOf(executed: Operation, { path }: Operation, request: OperationRequest): string {
  const ids = new Map(path.split("/").map((part, index) => [part, request.path.split("/")[index] ?? ""]));
  return executed.path
    .split("/")
    .map((part) => (part.startsWith("{") ? ids.get(part) : part))
    .join("/");
}

async function readAll(
  first: unknown,
  request: OperationRequest,
  read: (request: OperationRequest) => Promise<unknown>,
): Promise<unknown> {
  const data: unknown[] = [];
  let page = first as ListPage;
  for (let pages = 1; ; pages += 1) {
    data.push(...page.data);
    const { next_cursor: cursor } = page;
    if (typeof cursor !== "string") return { ...page, data };
    if (pages === PAGES_MAX) return { ...page, data, next_cursor: cursor };
    // The API takes a page or a cursor.
    const { page: _first, ...query } = request.query;
    page = (await read({ ...request, query: { ...query, cursor } })) as ListPage;
  }
}

interface ListPage {
  readonly data: readonly unknown[];
  readonly next_cursor?: string | null;
}

function textOf(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
