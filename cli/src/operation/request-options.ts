import { readFileSync } from "node:fs";
import { type Command, InvalidArgumentError, Option } from "commander";
import { kebabCase } from "../kebab-case.ts";
import { HIDDEN_FIELDS } from "./command-facts.ts";
import { type Operation, type Parameter, resolveSchema, type Schema } from "./table.ts";

/** A field of the body, with its schema resolved. */
export interface BodyField extends Parameter {
  readonly isSecret: boolean;
}

const SECRET_NAME = /password|secret|^credentials$|(refresh|mfa|external|id)_token$|totp_code/;
const STDIN = 0;
const DESCRIPTION_MAX = 160;

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

function optionOf({ name, description, schema, isRequired }: Parameter): Option {
  const kinds = kindsOf(schema);
  const words = `${isRequired ? "(required) " : ""}${firstSentence(description)}`;
  const flag = `--${kebabCase(name)}`;
  if (kinds.has("boolean")) return new Option(`${flag} [true|false]`, words).preset("true").argParser(booleanOf);
  if (kinds.has("array")) {
    return new Option(`${flag} <${isListOfObjects(schema) ? "json" : "values..."}>`, words).argParser(
      listParser(schema),
    );
  }
  const option = new Option(`${flag} <${kinds.has("object") && !kinds.has("string") ? "json" : "value"}>`, words);
  if (schema.enum !== undefined) return option.choices(schema.enum.map(String));
  return option.argParser((text: string) => parsedValue(text, kinds));
}

/** Returns the JSON types that a value can have. */
function kindsOf({ type, anyOf = [] }: Schema): ReadonlySet<string> {
  return new Set([type ?? [], ...anyOf.map((one) => resolveSchema(one).type ?? [])].flat());
}

/** A value that starts with @ is read from a file, - from standard input. Amounts stay text. */
function parsedValue(text: string, kinds: ReadonlySet<string>): unknown {
  const content = contentOf(text);
  if (content === "null" && kinds.has("null")) return null;
  if (kinds.has("object") && (!kinds.has("string") || content.startsWith("{"))) return jsonOf(content);
  if ((kinds.has("integer") || kinds.has("number")) && !kinds.has("string")) return numberOf(content);
  return content;
}

/** Values can be repeated, separated by commas, or given as one JSON array. */
function listParser(schema: Schema): (text: string, before: unknown) => unknown {
  return (text, before) => {
    const content = contentOf(text);
    const items =
      content.startsWith("[") || isListOfObjects(schema) ? jsonOf(content) : content.split(",").filter(Boolean);
    return Array.isArray(before) && Array.isArray(items) ? [...before, ...items] : items;
  };
}

function isListOfObjects({ items }: Schema): boolean {
  return items !== undefined && kindsOf(resolveSchema(items)).has("object");
}

export function contentOf(text: string): string {
  if (text !== "-" && !text.startsWith("@")) return text;
  try {
    return readFileSync(text === "-" ? STDIN : text.slice(1), "utf8").replace(/\r?\n$/, "");
  } catch (error) {
    throw new InvalidArgumentError(`${text} could not be read: ${error instanceof Error ? error.message : error}`);
  }
}

export function jsonOf(text: string): unknown {
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
