import { type JSONVisitor, visit } from "jsonc-parser";
import type { Json } from "./canonical-json.ts";
import { QUOTAS } from "./wire/quotas.ts";

const DEPTH_MAX = 32;
const VALUES_MAX = QUOTAS.bodyValues.max;
const ENTRIES_MAX = QUOTAS.listValues.max;

/** A parsed request body and the source text of its numbers. */
export interface StrictJson {
  readonly value: Json;
  /** Whether a source text of a number was kept. */
  readonly hasNumberSources: boolean;
  /** Returns a number's digits as received, so that a decimal amount is never parsed as a float. */
  numberSource(holder: object, key: string | number): string | undefined;
}

interface StrictJsonErrorContext {
  /** JSON pointer to the value. Empty for the whole body, or if the location is unknown. */
  readonly pointer?: string;
  readonly position?: StrictJsonError["position"];
  readonly cause?: unknown;
}

export class StrictJsonError extends Error {
  override readonly name = "StrictJsonError";
  readonly reason:
    | "not_utf8"
    | "not_json"
    | "duplicate_key"
    | "forbidden_key"
    | "lone_surrogate"
    | "too_deep"
    | "too_many_values"
    | "too_many_entries";
  readonly pointer: string;
  /** Where the text stops being valid JSON. Line and column are counted from 1. Set only for `not_json`. */
  readonly position: { readonly line: number; readonly column: number } | undefined;

  constructor(reason: StrictJsonError["reason"], { pointer = "", position, cause }: StrictJsonErrorContext = {}) {
    super(reason, { cause });
    this.reason = reason;
    this.pointer = pointer;
    this.position = position;
  }
}

/**
 * Parses JSON (RFC 8259). Throws StrictJsonError for invalid JSON, and for input that other parsers may accept: invalid
 * UTF-8, a byte order mark, duplicate member names, a member named `__proto__`, a lone surrogate, nesting deeper than
 * 32 levels, more than 10,000 values, and an array or object with more than 1,000 entries. The limits on depth, values
 * and entries are checked before parsing.
 */
export function parseStrictJson(
  bytes: Uint8Array,
  { keepNumberSources }: { readonly keepNumberSources: boolean },
): StrictJson {
  const { names, hasDigits } = scan(bytes);
  const text = decode(bytes);
  const sources = new WeakMap<object, Map<string, string>>();
  // Parsing takes several times as long if sources are kept.
  const hasNumberSources = keepNumberSources && hasDigits;
  const value = parse(text, hasNumberSources ? sources : undefined);
  if (checkValue(value, () => "") !== names) throw new StrictJsonError("duplicate_key");
  return {
    value,
    hasNumberSources,
    numberSource: (holder, key) => sources.get(holder)?.get(String(key)),
  };
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const SPACE = 0x20;
const ZERO = 0x30;
const NINE = 0x39;

/**
 * Checks the limits on depth, values and entries in one pass over the bytes. Returns the number of member names, and
 * whether there are digits outside of strings. Does not validate the syntax.
 */
function scan(bytes: Uint8Array): Pick<Counts, "names" | "hasDigits"> {
  const counts = new Counts();
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? SPACE;
    if (byte > SPACE) counts.add(byte);
    if (byte === QUOTE) at = endOfString(bytes, at);
  }
  return counts;
}

class Counts {
  names = 0;
  hasDigits = false;
  #values = 1;
  #depth = 0;
  /** The number of entries in each open array or object, by depth. */
  readonly #entries = [0];
  #isFirst = false;

  /** Processes a byte outside of strings. */
  add(byte: number): void {
    const isClosing = byte === CLOSE_ARRAY || byte === CLOSE_OBJECT;
    if (byte === COMMA || (this.#isFirst && !isClosing)) this.#countEntry();
    this.#isFirst = byte === OPEN_ARRAY || byte === OPEN_OBJECT;
    if (this.#isFirst) this.#open();
    if (isClosing) this.#depth = Math.max(0, this.#depth - 1);
    if (byte === COLON) this.names += 1;
    if (byte >= ZERO && byte <= NINE) this.hasDigits = true;
  }

  #countEntry(): void {
    const count = (this.#entries[this.#depth] ?? 0) + 1;
    this.#entries[this.#depth] = count;
    this.#values += 1;
    if (count > ENTRIES_MAX) throw new StrictJsonError("too_many_entries");
    if (this.#values > VALUES_MAX) throw new StrictJsonError("too_many_values");
  }

  #open(): void {
    this.#depth += 1;
    this.#entries[this.#depth] = 0;
    if (this.#depth > DEPTH_MAX) throw new StrictJsonError("too_deep");
  }
}

/** Returns the index of the closing quote of the string that starts at `start`. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new StrictJsonError("not_utf8", { cause });
  }
}

function parse(text: string, sources: WeakMap<object, Map<string, string>> | undefined): Json {
  // The third parameter contains the value's source text (a recent addition to JSON.parse, which TypeScript's types do
  // not include yet).
  function saveSource(this: object, key: string, value: Json, context?: { source?: string }): Json {
    if (typeof value === "number" && context?.source !== undefined) {
      const texts = sources?.get(this) ?? new Map<string, string>();
      sources?.set(this, texts.set(key, context.source));
    }
    return value;
  }
  try {
    return JSON.parse(text, sources && saveSource) as Json;
  } catch (cause) {
    throw new StrictJsonError("not_json", { position: firstErrorIn(text), cause });
  }
}

/**
 * Returns the position of the first syntax error. The error of JSON.parse is not used, because its message does not
 * always contain a position.
 */
function firstErrorIn(text: string): StrictJsonError["position"] {
  let position: StrictJsonError["position"];
  const stop = new Error("found");
  try {
    const onError: JSONVisitor["onError"] = (_code, _offset, _length, line, character) => {
      position = { line: line + 1, column: character + 1 };
      throw stop;
    };
    visit(text, { onError }, { disallowComments: true });
  } catch (thrown) {
    if (thrown !== stop) throw thrown;
  }
  return position;
}

/**
 * Checks that strings and member names contain no lone surrogates, and that no member is named `__proto__`. Returns the
 * number of members.
 */
function checkValue(value: Json, pointerOf: () => string): number {
  if (typeof value === "string") checkText(value, pointerOf);
  if (typeof value !== "object" || value === null) return 0;
  const entries = Object.entries<Json>(value);
  for (const [name] of entries) {
    if (name === "__proto__") throw new StrictJsonError("forbidden_key", { pointer: pointerOf() });
    checkText(name, pointerOf);
  }
  const inner = entries.map(([name, one]) => checkValue(one, () => `${pointerOf()}/${pointerToken(name)}`));
  return inner.reduce((sum, count) => sum + count, Array.isArray(value) ? 0 : entries.length);
}

function checkText(text: string, pointerOf: () => string): void {
  if (!text.isWellFormed()) throw new StrictJsonError("lone_surrogate", { pointer: pointerOf() });
}

/** Converts a member name to a JSON pointer token (RFC 6901), truncated to 100 characters. */
export function pointerToken(name: string): string {
  return name.slice(0, 100).toWellFormed().replaceAll("~", "~0").replaceAll("/", "~1");
}
