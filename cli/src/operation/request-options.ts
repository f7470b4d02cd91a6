import { readFileSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import { kebabCase } from "../name-case.ts";
import { HIDDEN_FIELDS } from "./command-facts.ts";
import { type Operation, type Parameter, resolveSchema, type Schema } from "./table.ts";

/** A field of the body, with its schema resolved. */
export interface BodyField extends Parameter {
  readonly isSecret: boolean;
}

const SECRET_NAME = /^value$|password|secret|^credentials$|(refresh|mfa|external|id)_token$|totp_code/;
const STDIN = 0;
const DESCRIPTION_MAX = 160;
/** JavaScript's numbers keep this many decimal digits. */
const DIGITS_MAX = 15;

export function bodyFields({ body }: Operation): readonly BodyField[] {
  const { properties = {}, required = [] } = resolveSchema(body ?? {});
  return Object.entries(properties)
    .filter(([name]) => !HIDDEN_FIELDS.has(name))
    .map(([name, raw]) => {
      const schema = resolveSchema(raw);
      const { description = "" } = schema;
      return { name, description, schema, isRequired: required.includes(name), isSecret: SECRET_NAME.test(name) };
    });
}

/** Adds an option for each parameter of the query and each field of the body. None is mandatory for the parser. */
export function addRequestOptions(command: Command, operation: Operation): void {
  for (const parameter of operation.query) command.addOption(optionOf(parameter));
  const fields = bodyFields(operation);
  for (const field of fields) command.addOption(optionOf(field));
  if (fields.length > 0)
    command.option("--data <json>", "The whole body as JSON. @FILE reads a file, - standard input.");
  if (operation.isPaged) command.option("--all", "Read all pages.");
}

function optionOf({
  name,
  description,
  schema,
  isRequired,
  isSecret = false,
}: Parameter & { isSecret?: boolean }): Option {
  const kinds = kindsOf(schema);
  const words = `${isRequired ? "(required) " : ""}${firstSentence(description)}`;
  const flag = `--${kebabCase(name)}`;
  if (kinds.has("boolean")) return new Option(`${flag} [true|false]`, words).argParser(booleanOf);
  if (kinds.has("array")) {
    return new Option(`${flag} <${isListOfObjects(schema) ? "json" : "values..."}>`, words).argParser(
      listParser(schema),
    );
  }
  const option = new Option(`${flag} <${kinds.has("object") && !kinds.has("string") ? "json" : "value"}>`, words);
  if (schema.enum !== undefined) return option.choices(schema.enum.map(String));
  return option.argParser((text: string) => parsedValue(text, kinds, isSecret));
}

/** Returns the JSON types that a value can have. */
export function kindsOf({ type, anyOf = [] }: Schema): ReadonlySet<string> {
  return new Set([type ?? [], ...anyOf.map((one) => resolveSchema(one).type ?? [])].flat());
}

/** JSON and secrets can be read from a file. Other texts can begin with @ themselves. Amounts stay text. */
function parsedValue(text: string, kinds: ReadonlySet<string>, isSecret: boolean): unknown {
  if (text === "null" && kinds.has("null")) return null;
  const isJson = kinds.has("object") && (text.startsWith("{") || !kinds.has("string"));
  if (isJson) return jsonOf(contentOf(text));
  if (isSecret) return contentOf(text);
  return ["string", "boolean", "object"].some((kind) => kinds.has(kind)) || kinds.size === 0 ? text : numberOf(text);
}

/** Values can be repeated, separated by commas, or given as one JSON array. */
function listParser(schema: Schema): (text: string, before: unknown) => unknown {
  return (text, before) => {
    const content = isListOfObjects(schema) ? contentOf(text) : text;
    const items =
      content.startsWith("[") || isListOfObjects(schema) ? jsonOf(content) : content.split(",").filter(Boolean);
    return Array.isArray(before) && Array.isArray(items) ? [...before, ...items] : items;
  };
}

function isListOfObjects({ items }: Schema): boolean {
  return items !== undefined && kindsOf(resolveSchema(items)).has("object");
}

let isInputRead = false;

/** Returns a text, or what a file (`@FILE`) or standard input (`-`) has. */
export function contentOf(text: string): string {
  if (text !== "-" && !text.startsWith("@")) return text;
  if (text === "-" && isInputRead) throw new InvalidArgumentError("Standard input was read already.");
  if (text === "-") isInputRead = true;
  try {
    return readFileSync(text === "-" ? STDIN : text.slice(1), "utf8").replace(/\r?\n$/, "");
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    throw new InvalidArgumentError(
      `${text} could not be read: ${reason}. To send this text itself, pass - and pipe it in.`,
    );
  }
}

/** @throws InvalidArgumentError also for a number that would change, because the API never rounds. */
export function jsonOf(text: string): unknown {
  const numbers = text.replaceAll(/"(?:\\.|[^"\\])*"/g, "").match(/\d[\d.]*/g) ?? [];
  if (numbers.some((number) => number.replace(".", "").length > DIGITS_MAX)) {
    throw new InvalidArgumentError("A number has too many digits. Write it as a string.");
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new InvalidArgumentError("It is no JSON. Quote it for your shell, or pass @FILE.");
  }
}

function numberOf(text: string): number {
  if (!/^-?\d{1,15}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
}

function booleanOf(text: string): boolean {
  if (text !== "true" && text !== "false") throw new InvalidArgumentError("It must be true or false.");
  return text === "true";
}

function firstSentence(text: string): string {
  const [sentence = ""] = text.replaceAll("`", "").split(/(?<=\.)\s/);
  return sentence.length <= DESCRIPTION_MAX ? sentence : `${sentence.slice(0, DESCRIPTION_MAX - 1)}…`;
}
