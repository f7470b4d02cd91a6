import { isUtf8 } from "node:buffer";
import type { FastifyRequest } from "fastify";
import { AppError, invalidField } from "../foundation/errors.ts";
import { parseStrictJson, type StrictJson, StrictJsonError } from "../foundation/strict-json.ts";

/** Each blank can be read in one way only, so that a header full of them is refused in a time that grows with its length. */
const JSON_TYPE = /^application\/json(?:\s*;\s*charset\s*=\s*"?utf-8"?)?\s*(?:;\s*)?$/i;

/** As a browser sends a plain form. */
const FORM_TYPE =
  /^application\/x-www-form-urlencoded(?:\s*;\s*charset\s*=\s*"?utf-8"?)?\s*(?:;\s*)?$/i;

/** Which bodies a route takes, as its configuration names them. */
const MEDIA_TYPES = { json: [JSON_TYPE], form: [FORM_TYPE], form_or_json: [FORM_TYPE, JSON_TYPE] };

const WORDS = {
  not_utf8: "is not UTF-8",
  not_json: "is not JSON",
  duplicate_key: "has two members of one name",
  forbidden_key: "has a member called __proto__",
  lone_surrogate: "has half of a surrogate pair, which is no character",
  too_deep: "is nested deeper than 32",
  too_many_values: "has more than 10,000 values",
  too_many_entries: "has an array or object with more than 1,000 entries",
} as const satisfies Record<StrictJsonError["reason"], string>;

/** Refuses a body that by its own words is not what the route takes, before anybody reads it. No body needs no content type. */
export function checkMediaType(request: FastifyRequest): void {
  const { rawBody, headers, sentContentType, routeOptions } = request;
  const expected = MEDIA_TYPES[routeOptions.config.body ?? "json"];
  const encoding = headers["content-encoding"];
  if (rawBody.length === 0) return;
  if (encoding !== undefined && encoding !== "identity") {
    throw new AppError("unsupported_media_type", { internal: `content encoding ${encoding}` });
  }
  if (!sentContentType && isEmptyObject(rawBody)) return;
  if (!expected.some((type) => type.test(sentContentType ?? "")))
    throw new AppError("unsupported_media_type");
}

/** Whether the body is a form: by the route's word, or by the caller's where the route leaves the choice. */
export function isForm({ routeOptions, sentContentType = "" }: FastifyRequest): boolean {
  const { body } = routeOptions.config;
  return body === "form" || (body === "form_or_json" && FORM_TYPE.test(sentContentType));
}

/** Reads the body once. Undefined where there is none. */
export function readBody(
  { rawBody }: FastifyRequest,
  options: Parameters<typeof parseStrictJson>[1],
): StrictJson | undefined {
  if (rawBody.length === 0) return undefined;
  try {
    return parseStrictJson(rawBody, options);
  } catch (thrown) {
    if (!(thrown instanceof StrictJsonError)) throw thrown;
    const { reason, pointer, position } = thrown;
    const place =
      position === undefined ? "" : `: line ${position.line}, column ${position.column}`;
    throw invalidField(`/body${pointer}`, reason, WORDS[reason] + place);
  }
}

/**
 * The fields of a form. A field that comes twice is refused. So are bytes that are not UTF-8, which decoding would replace by
 * U+FFFD: different passwords would become the same one.
 */
export function readForm({ rawBody }: FastifyRequest): Readonly<Record<string, string>> {
  const bytes = rawBody
    .toString("latin1")
    .replaceAll(/%([\da-f]{2})/gi, (_escape, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  if (!isUtf8(Buffer.from(bytes, "latin1"))) {
    throw invalidField("/body", "not_utf8", WORDS.not_utf8);
  }
  const fields = [...new URLSearchParams(rawBody.toString("utf8"))];
  if (new Set(fields.map(([name]) => name)).size < fields.length) {
    throw invalidField("/body", "duplicate_key", WORDS.duplicate_key);
  }
  return Object.fromEntries(fields);
}

function isEmptyObject(body: Buffer): boolean {
  return body.length < 64 && /^\s*\{\s*\}\s*$/.test(body.toString("latin1"));
}
