import { APIError } from "@purser/sdk";
import { CliError, EXIT_CODES } from "../cli-error.ts";
import type { Context } from "../context.ts";
import { cleanText } from "../output/human.ts";
import { askChoice, askText } from "../prompts.ts";
import { type BodyField, kindsOf } from "./request-options.ts";
import { type Operation, operations } from "./table.ts";

/** How a person is asked. Tests give the answers themselves. */
export const PROMPTS = { askText, askChoice };
export type Prompts = typeof PROMPTS;

/** Reads the objects that a group lists, such as the wallets. */
export type ReadList = (list: Operation) => Promise<readonly Row[]>;

type Row = Readonly<Record<string, unknown>>;

/** The value of the last choice in a list of ids. */
const OTHER = "";

/** Scripts that read the output, or that have answered every question, are not asked for values. */
export function canAskForValues({ terminal, options }: Pick<Context, "terminal" | "options">): boolean {
  return terminal.canAsk && terminal.showsOutput && options.json !== true && options.yes !== true;
}

/** Returns whether a value can be typed as text. JSON and lists cannot. */
export function canBeTyped({ schema }: BodyField): boolean {
  return schema.enum !== undefined || kindsOf(schema).has("string");
}

export function askField({ name, isSecret, schema }: BodyField, prompts: Prompts): Promise<string> {
  const question = name.replaceAll("_", " ");
  if (schema.enum === undefined) return prompts.askText(question, { isSecret });
  return prompts.askChoice(
    question,
    schema.enum.map((value) => ({ value: String(value), label: String(value) })),
  );
}

interface AskId {
  readonly prompts: Prompts;
  /** Offers only objects with this status. Undefined: all. */
  readonly status?: string | undefined;
  readonly readList: ReadList;
}

/** Lets the person choose among the objects that a group of operations lists, or type another id. */
export async function askId(
  group: readonly string[],
  name: string,
  { prompts, status, readList }: AskId,
): Promise<string> {
  const question = name.replaceAll("_", " ");
  const list = operations().find(({ sdk }) => sdk.join(".") === [...group, "list"].join("."));
  const rows = list === undefined ? [] : await readList(list).catch(noneIfForbidden);
  const usable = rows.filter((row) => status === undefined || row["status"] === status);
  const choices = usable.flatMap((row) => {
    const id = row[name] ?? row["id"];
    return typeof id === "string" ? [{ value: id, label: labelOf(row, id) }] : [];
  });
  const id =
    choices.length === 0 ? OTHER : await prompts.askChoice(question, [...choices, { value: OTHER, label: "Another" }]);
  return id === OTHER ? prompts.askText(question) : id;
}

/** A key that cannot list the objects may still be able to change one. */
function noneIfForbidden(error: unknown): readonly Row[] {
  if (error instanceof APIError && error.status === 403) return [];
  throw error;
}

function labelOf({ name, service, provider, summary, network, amount, status }: Row, id: string): string {
  const { title } = Object(summary);
  const parts = [name, service, provider, title, network, amount, status, id].filter(
    (part) => typeof part === "string",
  );
  return cleanText(parts.join("  ")).replaceAll("\n", " ");
}

export function optionMissing(what: string): CliError {
  return new CliError({
    message: `Missing: ${what}.`,
    code: "option_missing",
    exitCode: EXIT_CODES.usage,
    nextSteps: ["Add --help to the command for its options."],
  });
}
