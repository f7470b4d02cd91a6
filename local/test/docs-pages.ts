import { readFileSync } from "node:fs";
import { join } from "node:path";

const DOCS = join(import.meta.dirname, "../../docs");

/** The languages whose blocks are run, in the order in which an answer is taken from them. */
export const LANGUAGES = ["sh", "ts", "python", "cli"] as const;
export type Language = (typeof LANGUAGES)[number];

/** A code block of a page. */
export interface Block {
  /** The language after the fence, or `cli` in a tab of the command line. */
  readonly language: string;
  /** The words in braces after the language: `{answer}`. */
  readonly mark: string | undefined;
  /** Why the block is not run: `no-run="…"`. */
  readonly reason: string | undefined;
  readonly code: string;
  /** The place of the code in the page's text. */
  readonly start: number;
  /** Blocks of one group of tabs have the same number. */
  readonly group: number;
}

export const pathOf = (page: string) => join(DOCS, page);

/** Returns the code blocks of a page, for example `jobs/budget.md`. */
export function blocksOf(page: string): Block[] {
  const text = readFileSync(pathOf(page), "utf8");
  const blocks: Block[] = [];
  const parts = text.matchAll(/^```(\w+)(.*)\n((?:.*\n)*?)^```$|^::: code-group$|^:::$/gm);
  let group = 0;
  let isInGroup = false;
  for (const { 0: whole, 1: language, 2: words = "", 3: code = "", index } of parts) {
    if (language === undefined) isInGroup = whole !== ":::";
    if (language === undefined || !isInGroup) group += 1;
    if (language === undefined) continue;
    blocks.push({ ...readFence(language, words), code, start: index + whole.indexOf("\n") + 1, group });
  }
  return blocks;
}

function readFence(language: string, words: string): Pick<Block, "language" | "mark" | "reason"> {
  return {
    // A tab of the command line is a shell program of its own.
    language: words.includes("[CLI]") ? "cli" : language,
    mark: /\{(\w+)\}/.exec(words)?.[1],
    reason: /no-run="(.+)"/.exec(words)?.[1],
  };
}

/** Replaces what differs in each run: ids, times, keys, hashes, addresses, ports, durations. */
export function withoutChances(text: string): string {
  return text
    .replaceAll(/\b[a-z]{2,4}_[0-9a-z]{26}\b/g, "ID")
    .replaceAll(/\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "ID")
    .replaceAll(/\b\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?Z)?/g, "TIME")
    .replaceAll(/\b0x[0-9a-fA-F]{40}\b/g, "ADDRESS")
    .replaceAll(/\b[\w-]{40,}\b|\b[0-9a-f]{16}\b/g, "SECRET")
    .replaceAll(/\b[a-z]+-[a-z]+-\d{8}\b/g, "NEON_PROJECT")
    .replaceAll(/(?<=http:\/\/127\.0\.0\.1):\d+/g, ":PORT")
    .replaceAll(/\b\d+ (ms\b|s (ahead of|behind) the server)/g, "DURATION");
}

/** Returns the nearest runnable block or group before an answer, without its tab of the command line, which prints tables. */
export function questionsOf(blocks: readonly Block[], answer: Block): Block[] {
  const runnable = blocks.slice(0, blocks.indexOf(answer)).filter(isRunnable);
  return runnable.filter(({ group, language }) => group === runnable.at(-1)?.group && language !== "cli");
}

export function isRunnable({ language, mark, reason }: Block): boolean {
  return mark !== "answer" && reason === undefined && LANGUAGES.some((one) => one === language);
}
