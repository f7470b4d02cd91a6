import { stripVTControlCharacters } from "node:util";
import type { Terminal } from "../terminal.ts";

type Row = Readonly<Record<string, unknown>>;

/** Fields that say nothing to a person. */
const HIDDEN = new Set(["object", "next_cursor"]);
/** What only a program verifies. */
const VERIFIED = /^(receipt|proof)\.(signature|alg|kid)$/;
/** Fields that are the same in every line, or long. */
const HIDDEN_IN_TABLES = new Set([
  ...[...HIDDEN, "mode", "metadata", "created_at", "updated_at", "api_version", "salt", "account_type", "execution"],
  ...["approve_url", "long_poll_url", "poll_url", "approvers", "votes"],
]);
/** What a person looks for in a list. These columns come after the id, in this order. */
const FIRST = ["name", "title", "summary", "type", "status", "amount", "token", "monthly_cap", "purpose", "network"];
const OTHER_ID = /_id$/;
const CELL_MAX = 60;
/** A longer list within an object is only counted. */
const NESTED_ROWS_MAX = 20;

/** Returns data as a person reads it: a list as a table, an object as lines of names and values, then its lists. */
export function humanText(data: unknown, terminal: Terminal): string {
  if (isRow(data)) {
    const { data: list } = data;
    return Array.isArray(list) ? listText(list, data["next_cursor"], terminal) : linesOf(data, terminal);
  }
  if (Array.isArray(data)) return listText(data, null, terminal);
  return data === null || data === undefined ? "Done.\n" : `${clean(data)}\n`;
}

function listText(list: readonly unknown[], cursor: unknown, terminal: Terminal): string {
  if (list.length === 0) return "There are none.\n";
  const rows = list.every(isRow)
    ? tableText(list.map(withTitle), terminal)
    : list.map((item) => `${clean(item)}\n`).join("");
  return typeof cursor === "string" ? `${rows}${terminal.style("dim", `More: --cursor ${cursor}, or --all`)}\n` : rows;
}

/** An approval says in its summary what is asked. */
function withTitle(row: Row): Row {
  const { title } = Object(row["summary"]);
  return title === undefined ? row : { ...row, summary: title };
}

/** Leaves out the columns for which there is no room, and says so. */
function tableText(rows: readonly Row[], terminal: Terminal, widthMax = terminal.columns): string {
  const cells = (name: string) => rows.map((row) => cut(clean(row[name])));
  const [id, ...others] = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter(
    (name) =>
      !HIDDEN_IN_TABLES.has(name) && rows.some((row) => isShort(row[name])) && cells(name).some((cell) => cell !== ""),
  );
  // Other objects' ids are long, and would leave no room for what a person looks for.
  const rank = (name: string) => (FIRST.indexOf(name) + 1 || FIRST.length + 1) + (OTHER_ID.test(name) ? 1 : 0);
  const names = [...(id === undefined ? [] : [id]), ...others.sort((a, b) => rank(a) - rank(b))];
  const columns = names.map((name) => {
    const texts = cells(name);
    return { name, texts, width: Math.max(name.length, ...texts.map((text) => text.length)) };
  });
  let used = -2;
  const shown = columns.filter(({ width }, index) => {
    if (index > 0 && used + width + 2 > widthMax) return false;
    used += width + 2;
    return true;
  });
  const hidden = columns.filter((column) => !shown.includes(column)).map(({ name }) => name);
  const line = (textOf: (column: (typeof shown)[number]) => string) =>
    shown
      .map((column) => textOf(column).padEnd(column.width))
      .join("  ")
      .trimEnd();
  const head = terminal.style(
    "bold",
    line(({ name }) => clean(name)),
  );
  const lines = [head, ...rows.map((_, index) => line(({ texts }) => texts[index] ?? ""))];
  if (hidden.length > 0) lines.push(terminal.style("dim", `Not shown: ${clean(hidden.join(", "))}. --json shows all.`));
  return lines.map((text) => `${text}\n`).join("");
}

function linesOf(row: Row, terminal: Terminal): string {
  const values = flatten(row);
  const lines = values.map(([name, value]) => [name, textOf(value)] as const).filter(([, text]) => text !== "");
  const width = Math.max(0, ...lines.map(([name]) => name.length));
  const lists = values.flatMap(([name, value]) =>
    isTable(value) ? [`\n${name}:\n${nestedText(value, terminal)}`] : [],
  );
  return lines
    .map(([name, text]) => `${terminal.style("dim", name.padEnd(width))}  ${text}\n`)
    .concat(lists)
    .join("");
}

/** Returns a list within an object as a table, or, if that would leave something out, each of its objects as lines. */
function nestedText(rows: readonly Row[], terminal: Terminal): string {
  const table = tableText(rows, terminal, Number.POSITIVE_INFINITY);
  const isNarrow = table.split("\n").every((line) => stripVTControlCharacters(line).length <= terminal.columns);
  const isWhole = rows.every((row) => Object.entries(row).every(([name, value]) => isCell(name, value)));
  return isNarrow && isWhole ? table : rows.map((row) => linesOf(row, terminal)).join("\n");
}

function isCell(name: string, value: unknown): boolean {
  if (HIDDEN_IN_TABLES.has(name) || value === null) return true;
  return isShort(value) && clean(value).length <= CELL_MAX;
}

/** Returns the values of an object with their paths: `balance.amount`. */
function flatten(row: Row, prefix = ""): [name: string, value: unknown][] {
  return Object.entries(row)
    .filter(([key]) => !HIDDEN.has(key) && !VERIFIED.test(prefix + key))
    .flatMap(([key, value]) => (isRow(value) ? flatten(value, `${prefix}${key}.`) : [[`${prefix}${key}`, value]]));
}

function textOf(value: unknown): string {
  if (!Array.isArray(value)) return clean(value);
  if (!value.some(isRow)) return clean(value);
  const count = `${value.length} (--json shows them)`;
  return isTable(value) ? "" : count;
}

function isTable(value: unknown): value is readonly Row[] {
  return Array.isArray(value) && value.length > 0 && value.length <= NESTED_ROWS_MAX && value.every(isRow);
}

/** Removes what could control the terminal: names and reasons are other people's text. Line ends stay. */
export function cleanText(text: string): string {
  return stripVTControlCharacters(text).replace(/(?:[^\P{Cc}\n]|[\p{Cf}\u2028\u2029])+/gu, " ");
}

function clean(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value) && !value.some(isRow)) return value.map(clean).join(", ");
  return cleanText(typeof value === "object" ? JSON.stringify(value) : String(value)).replaceAll("\n", " ");
}

function cut(text: string): string {
  return text.length <= CELL_MAX ? text : `${text.slice(0, CELL_MAX - 1)}…`;
}

function isShort(value: unknown): boolean {
  return (
    value !== null && value !== undefined && (typeof value !== "object" || (Array.isArray(value) && !value.some(isRow)))
  );
}

function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
