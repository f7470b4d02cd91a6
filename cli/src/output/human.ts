import { stripVTControlCharacters } from "node:util";
import type { Terminal } from "../terminal.ts";

type Row = Readonly<Record<string, unknown>>;

/** Fields that say nothing to a person. */
const HIDDEN = new Set(["object", "next_cursor"]);
/** Fields that are the same in every line, or long. */
const HIDDEN_IN_TABLES = new Set([...HIDDEN, "mode", "metadata", "created_at", "updated_at"]);
const OTHER_ID = /_id$/;
const CELL_MAX = 60;

/** Returns data as a person reads it: a list as a table, an object as lines of names and values. */
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
  const rows = list.every(isRow) ? tableText(list, terminal) : list.map((item) => `${clean(item)}\n`).join("");
  return typeof cursor === "string" ? `${rows}${terminal.style("dim", `More: --cursor ${cursor}, or --all`)}\n` : rows;
}

function tableText(rows: readonly Row[], terminal: Terminal): string {
  const cells = (name: string) => rows.map((row) => cut(clean(row[name])));
  const [id, ...others] = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter(
    (name) =>
      !HIDDEN_IN_TABLES.has(name) && rows.some((row) => isShort(row[name])) && cells(name).some((cell) => cell !== ""),
  );
  // Other objects' ids are long, and would leave no room for what a person looks for.
  const names = [id ?? [], others.filter((name) => !OTHER_ID.test(name)), others.filter((name) => OTHER_ID.test(name))];
  const columns = names.flat().map((name) => {
    const texts = cells(name);
    return { name, texts, width: Math.max(name.length, ...texts.map((text) => text.length)) };
  });
  const shown = columns.filter((_, index) => {
    const used = columns.slice(0, index + 1).reduce((sum, { width }) => sum + width + 2, -2);
    return index === 0 || used <= terminal.columns;
  });
  const line = (textOf: (column: (typeof shown)[number]) => string) =>
    shown
      .map((column) => textOf(column).padEnd(column.width))
      .join("  ")
      .trimEnd();
  const head = terminal.style(
    "bold",
    line(({ name }) => name),
  );
  return [head, ...rows.map((_, index) => line(({ texts }) => texts[index] ?? ""))].map((text) => `${text}\n`).join("");
}

function linesOf(row: Row, terminal: Terminal): string {
  const lines = flatten(row).filter(([, text]) => text !== "");
  const width = Math.max(0, ...lines.map(([name]) => name.length));
  return lines.map(([name, text]) => `${terminal.style("dim", name.padEnd(width))}  ${text}\n`).join("");
}

/** Returns the values of an object with their paths: `balance.amount`. Lists of objects are only counted. */
function flatten(row: Row, prefix = ""): [name: string, text: string][] {
  return Object.entries(row)
    .filter(([key]) => !HIDDEN.has(key))
    .flatMap(([key, value]) =>
      isRow(value) ? flatten(value, `${prefix}${key}.`) : [[`${prefix}${key}`, textOf(value)]],
    );
}

function textOf(value: unknown): string {
  if (!Array.isArray(value)) return clean(value);
  return value.some(isRow) ? `${value.length} (--json shows them)` : value.map(clean).join(", ");
}

/** Removes what could control the terminal: names and reasons are other people's text. Line ends stay. */
export function cleanText(text: string): string {
  return stripVTControlCharacters(text).replace(/(?:[^\P{Cc}\n]|[\p{Cf}\u2028\u2029])+/gu, " ");
}

function clean(value: unknown): string {
  if (value === null || value === undefined) return "";
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
