import { CliError } from "../cli-error.ts";
import { type EnvFormat, entriesOf, FORMATS, type PulledEnv } from "./env-format.ts";

/** The largest file that is read or written, in bytes. */
export const FILE_BYTES_MAX = 1_048_576;

const START = "# >>> purser env pull >>>";
const END = "# <<< purser env pull <<<";

/** The names of variables that differ between a file and a bundle, each list sorted. */
export interface EnvChanges {
  readonly added: readonly string[];
  readonly changed: readonly string[];
  readonly removed: readonly string[];
}

export interface EnvFilePlan {
  /** The content that the file should have. */
  readonly next: Buffer;
  readonly changes: EnvChanges;
  /** Whether the file already has this content. If so, it does not have to be written. */
  readonly isCurrent: boolean;
  /** Full sentences for the user, without values. */
  readonly warnings: readonly string[];
}

/**
 * Plans how a pulled bundle changes a file, without writing it. In `dotenv`, `shell` and `docker` files, Purser's variables
 * are a section between two marker comments, and every byte outside of it stays. A new section is added at the end. `json` and
 * `k8s` files contain nothing else, so another file is not replaced. Line breaks and encodings of other lines do not matter,
 * because they are handled as bytes.
 *
 * @param current The content of the file, or undefined if it does not exist.
 * @throws CliError if the file cannot be changed without a loss: `foreign_file`, `section_damaged`, `section_edited`,
 *   `quote_open`, `file_too_large`, `file_utf16`; `line_breaks` if `docker` cannot express a value.
 */
export function planEnvFile(current: Uint8Array | undefined, bundle: PulledEnv, format: EnvFormat): EnvFilePlan {
  const text = Buffer.from(current ?? []).toString("latin1");
  if (/^(?:\xff\xfe|\xfe\xff)/.test(text)) {
    throw fileError("file_utf16", "The file is in UTF-16.", "Save the file in UTF-8, then try again.");
  }
  const entries = new Map([...entriesOf(bundle, format)].map(([name, entry]) => [name, latin1(entry)]));
  const { head, start, lines, tail } = FORMATS[format].isWholeFile ? wholeFile(text, format) : splitFile(text, format);
  const own = renderOwn(entries, bundle, format);
  const next = `${head}${own}${tail}`;
  if (!FORMATS[format].isWholeFile) assertFound(next, head, own, format);
  if (next.length > FILE_BYTES_MAX) throw tooLarge(next.length);
  return {
    next: Buffer.from(next, "latin1"),
    changes: compare(new Map(lines.map((line) => [FORMATS[format].entry.exec(line)?.[1] ?? "", line])), entries),
    isCurrent: current !== undefined && next === text,
    warnings: [...otherSource(start, bundle), ...duplicates(`${head}${tail}`, entries, format)],
  };
}

/** Returns the lines that show changes to a person. Every value is masked, whatever its length. */
export function changeLines({ added, changed, removed }: EnvChanges): string[] {
  const lines = (sign: string, names: readonly string[]) => names.map((name) => `${sign} ${name}=********`);
  return [...lines("+", added), ...lines("~", changed), ...lines("-", removed)];
}

export function tooLarge(bytes: number): CliError {
  const message = `A file of ${bytes} bytes is over the limit of ${FILE_BYTES_MAX} bytes.`;
  return fileError("file_too_large", message, "Choose another file, or pull fewer variables.");
}

function fileError(code: string, message: string, ...nextSteps: string[]): CliError {
  return new CliError({ code, message, nextSteps: [...nextSteps, "The file was not changed."] });
}

/** Returns a text with one character for each of its UTF-8 bytes. */
function latin1(text: string): string {
  return Buffer.from(text, "utf8").toString("latin1");
}

function renderOwn(entries: ReadonlyMap<string, string>, bundle: PulledEnv, format: EnvFormat): string {
  const { project_id: projectId, environment, fingerprint, projectSlug = projectId } = bundle;
  const lines = [...entries.values()];
  if (format === "json") return `{\n${lines.join(",\n")}${lines.length > 0 ? "\n" : ""}}\n`;
  const start = `${START} managed, do not edit; project=${projectId} environment=${environment} fingerprint=${fingerprint}`;
  const name = projectSlug.toLowerCase().replaceAll(/[^a-z0-9]+/g, "-");
  const manifest = ["apiVersion: v1", "kind: Secret", "metadata:", `  name: "${name}"`, "type: Opaque"];
  const data = lines.length > 0 ? "data:" : "data: {}";
  return [start, ...(format === "k8s" ? [...manifest, data] : []), ...lines, END, ""].join("\n");
}

/** `head` and `tail` are other lines. `lines` are Purser's variables, each in one or more lines without the last line end. */
interface SplitFile {
  readonly head: string;
  /** The start marker. */
  readonly start: string;
  readonly lines: readonly string[];
  readonly tail: string;
}

const MANIFEST = new RegExp(
  `^(${START}.*)\napiVersion: v1\nkind: Secret\nmetadata:\n  name: ".*"\ntype: Opaque\ndata:(?: \\{\\})?\n((?:.*\n)*)${END}\n$`,
);
const OBJECT = /^(\{)\n((?:.*\n)*)\}\n$/;

/** Throws unless Purser wrote the whole file: each of its lines has the form in which Purser writes it. */
function wholeFile(text: string, format: EnvFormat): SplitFile {
  const [, start = "", written = ""] = (format === "json" ? OBJECT : MANIFEST).exec(text) ?? [];
  const lines = written.split(/,?\n/).slice(0, -1);
  if (text === "" || (start !== "" && lines.every((line) => FORMATS[format].entry.test(line)))) {
    return { head: "", start, lines, tail: "" };
  }
  const message = `The file has other content than \`purser env pull --format ${format}\` writes, which would be lost.`;
  throw fileError("foreign_file", message, "Choose another file, or move this one away.");
}

/** A line, or several if a quoted value or a here-document goes over several. */
interface Statement {
  readonly text: string;
  /** Counts from 1. */
  readonly line: number;
  readonly offset: number;
}

const QUOTED = "'[^']*'(?:\\\\''[^']*')*|\"[^\"\\\\]*(?:\\\\[^][^\"\\\\]*)*\"|`[^`\\\\]*(?:\\\\[^][^`\\\\]*)*`";
const ASSIGNMENT = `[ \\t]*(?:export[ \\t]+)?([\\w.-]+)[ \\t]*[=:][ \\t]*`;
const HERE_DOCUMENT = `(?![ \\t]*#)[^\\n]*<<-?[ \\t]*(["']?)(\\w+)\\2[^\\n]*\\n(?:[^\\n]*\\n)*?[ \\t]*\\3(?=\\r?\\n|\\r?$)`;
const STATEMENT = new RegExp(`(?:\xef\xbb\xbf)?(?:${ASSIGNMENT}(?:${QUOTED})|${HERE_DOCUMENT})?[^\\n]*(?:\\n|$)`, "gy");
const LINE = /[^\n]*(?:\n|$)/gy;
const NAME = new RegExp(`^(?:\xef\xbb\xbf)?${ASSIGNMENT}`);

/** Only Docker reads each line on its own. */
function statementsOf(text: string, format: EnvFormat): Statement[] {
  let line = 1;
  return [...text.matchAll(format === "docker" ? LINE : STATEMENT)].map(({ 0: found, index }) => {
    const statement = { text: found, line, offset: index };
    line += found.split("\n").length - 1;
    return statement;
  });
}

/** Splits the file at the markers. Lines that look like a marker inside of a quoted value do not count. */
function splitFile(text: string, format: EnvFormat): SplitFile {
  const statements = statementsOf(text, format);
  const starts = statements.filter((one) => one.text.startsWith(START));
  const ends = statements.filter((one) => one.text.startsWith(END));
  const [[start], [end]] = [starts, ends];
  if (!start && !end) return { head: `${text}${separatorAfter(text)}`, start: "", lines: [], tail: "" };
  if (!start || !end || starts.length + ends.length > 2 || end.offset < start.offset) {
    const hiding = statements.find(({ text: value }) => value.includes(`\n${START}`) || value.includes(`\n${END}`));
    throw hiding === undefined ? damaged(starts, ends) : quoteOpen(hiding.line);
  }
  const own = statements.filter(({ offset }) => offset > start.offset && offset < end.offset);
  const lines = own.map((one) => one.text.replace(/\r?\n$/, ""));
  const edited = lines.findIndex((line) => !FORMATS[format].entry.test(line));
  if (edited !== -1) throw editedLine(own[edited]?.line, format);
  return {
    head: text.slice(0, start.offset),
    start: start.text,
    lines,
    tail: text.slice(end.offset + end.text.length),
  };
}

/** Ends the last line. A shell would join a line that ends with a backslash to the next one. */
function separatorAfter(text: string): string {
  const lineEnd = text === "" || text.endsWith("\n") ? "" : "\n";
  return /\\\n?$/.test(text) ? `${lineEnd}\n` : lineEnd;
}

function quoteOpen(line: number | undefined): CliError {
  return fileError(
    "quote_open",
    `The quoted value that begins in line ${line} does not end before Purser's section.`,
    "Close the quote, then pull again.",
  );
}

function damaged(starts: readonly Statement[], ends: readonly Statement[]): CliError {
  const at = (markers: readonly Statement[]) =>
    markers.length === 0 ? "missing" : `in line ${markers.map(({ line }) => line).join(", ")}`;
  return fileError(
    "section_damaged",
    `The file must have one section that Purser manages, but its start marker is ${at(starts)} and its end marker is ${at(ends)}.`,
    "Delete the markers and the lines that Purser wrote between them, then pull again. Keep the lines that you wrote.",
  );
}

function editedLine(line: number | undefined, format: EnvFormat): CliError {
  return fileError(
    "section_edited",
    `Line ${line} is in the section that Purser manages, but \`purser env pull --format ${format}\` did not write it.`,
    "If the line is yours, move it above or below the section. If the file has another format, choose that format or another file.",
  );
}

/**
 * Throws unless the next pull will find the section where this one puts it. A quote that is never closed before the section can
 * end inside of it.
 */
function assertFound(next: string, head: string, own: string, format: EnvFormat): void {
  const statements = statementsOf(next, format);
  const isFound = (offset: number) => statements.some((one) => one.offset === offset);
  if (isFound(head.length) && isFound(head.length + own.length)) return;
  throw quoteOpen(statements.findLast(({ offset }) => offset < head.length)?.line);
}

function compare(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): EnvChanges {
  const names = [...after.keys()];
  return {
    added: names.filter((name) => !before.has(name)),
    changed: names.filter((name) => before.has(name) && before.get(name) !== after.get(name)),
    removed: [...before.keys()].filter((name) => !after.has(name)),
  };
}

function otherSource(start: string, { project_id: projectId, environment }: PulledEnv): string[] {
  const [, ...before] = /^# .* project=(\S+) environment=(\S+)/.exec(start) ?? [];
  if (before.length === 0 || (before[0] === projectId && before[1] === environment)) return [];
  return [`The file had the variables of the environment ${before[1]} of the project ${before[0]}.`];
}

/** Warns of variables that other lines of the file set too. Their values are not read. */
function duplicates(foreign: string, entries: ReadonlyMap<string, string>, format: EnvFormat): string[] {
  const names = new Set(statementsOf(foreign, format).flatMap(({ text }) => NAME.exec(text)?.[1] ?? []));
  const both = [...entries.keys()].filter((name) => names.has(name));
  if (both.length === 0) return [];
  return [
    `These variables are also set outside of Purser's section: ${both.join(", ")}. Some programs read the first, others the last.`,
  ];
}
