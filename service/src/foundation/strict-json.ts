import type { Json } from "./canonical-json.ts";

const DEPTH_MAX = 32;

/** A parsed body, and the source text of each of its numbers by the object or array that holds it. */
export interface StrictJson {
  readonly value: Json;
  /** The digits as they were sent, so that a decimal amount is never read through a float. */
  numberSource(holder: object, key: string | number): string | undefined;
}

export class StrictJsonError extends Error {
  override readonly name = "StrictJsonError";
  readonly reason: "not_utf8" | "not_json" | "duplicate_key" | "forbidden_key" | "too_deep";

  constructor(reason: StrictJsonError["reason"], cause?: unknown) {
    super(reason, { cause });
    this.reason = reason;
  }
}

/**
 * Reads JSON (RFC 8259) and refuses what a lenient parser swallows: invalid UTF-8, a byte order mark, two members of one
 * name, a member called `__proto__`, and nesting deeper than 32.
 */
export function parseStrictJson(bytes: Uint8Array): StrictJson {
  const text = decode(bytes);
  const sources = new WeakMap<object, Map<string, string>>();
  const value = parse(text, sources);
  if (countMembers(value, 0) !== countMemberNames(text)) throw new StrictJsonError("duplicate_key");
  return {
    value,
    numberSource: (holder, key) => sources.get(holder)?.get(String(key)),
  };
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    throw new StrictJsonError("not_utf8", cause);
  }
}

function parse(text: string, sources: WeakMap<object, Map<string, string>>): Json {
  // The third parameter is the platform's JSON.parse source text access, which TypeScript's own library does not know yet.
  function remember(this: object, key: string, value: Json, context?: { source?: string }): Json {
    if (typeof value === "number" && context?.source !== undefined) {
      const known = sources.get(this) ?? new Map<string, string>();
      sources.set(this, known.set(key, context.source));
    }
    return value;
  }
  try {
    return JSON.parse(text, remember) as Json;
  } catch (cause) {
    throw new StrictJsonError("not_json", cause);
  }
}

function countMembers(value: Json, depth: number): number {
  if (typeof value !== "object" || value === null) return 0;
  if (depth >= DEPTH_MAX) throw new StrictJsonError("too_deep");
  if (Object.hasOwn(value, "__proto__")) throw new StrictJsonError("forbidden_key");
  const items: readonly Json[] = Object.values(value);
  const inner = items.reduce<number>((sum, item) => sum + countMembers(item, depth + 1), 0);
  return Array.isArray(value) ? inner : inner + Object.keys(value).length;
}

/** In a text that is known to be JSON, a string that a colon follows is a member's name. */
function countMemberNames(text: string): number {
  let names = 0;
  for (const [string] of text.matchAll(/"(?:[^"\\]|\\.)*"\s*:?/g)) {
    if (string.endsWith(":")) names += 1;
  }
  return names;
}
