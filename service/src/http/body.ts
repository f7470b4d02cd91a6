import { isUtf8 } from "node:buffer";
import type { FastifyRequest } from "fastify";
import { AppError, invalidField } from "../foundation/errors.ts";
import { parseStrictJson, type StrictJson, StrictJsonError } from "../foundation/strict-json.ts";

/** `utf8` is a common misspelling. Each space can match in only one way, so a long header causes no backtracking. */
const CHARSET = /(?:\s*;\s*charset\s*=\s*(["']?)utf-?8\1)?\s*(?:;\s*)?$/.source;
const JSON_TYPE = new RegExp(`^application/json${CHARSET}`, "i");
const FORM_TYPE = new RegExp(`^application/x-www-form-urlencoded${CHARSET}`, "i");

/** The accepted content types for each value of a route's `body` setting. */
const MEDIA_TYPES = { json: [JSON_TYPE], form: [FORM_TYPE], form_or_json: [FORM_TYPE, JSON_TYPE] };

const DETAILS = {
  not_utf8: "is not UTF-8",
  not_json: "is not JSON",
  duplicate_key: "contains a duplicate member name",
  forbidden_key: "contains a member named __proto__",
  lone_surrogate: "contains an unpaired surrogate",
  too_deep: "is nested more than 32 levels deep",
  too_many_values: "contains more than 10,000 values",
  too_many_entries: "contains an array or object with more than 1,000 entries",
} as const satisfies Record<StrictJsonError["reason"], string>;

/** Throws `unsupported_media_type` if the route does not accept the body's content type. An empty body needs no type. */
export function checkMediaType(request: FastifyRequest): void {
  const { rawBody, headers, sentContentType, routeOptions } = request;
  const expected = MEDIA_TYPES[routeOptions.config.bodyFormat ?? "json"];
  const encoding = headers["content-encoding"];
  if (rawBody.length === 0) return;
  if (encoding !== undefined && encoding !== "identity") {
    throw new AppError("unsupported_media_type", { internal: `content encoding ${encoding}` });
  }
  if (!sentContentType && isEmptyObject(rawBody)) return;
  if (!expected.some((type) => type.test(sentContentType ?? ""))) throw new AppError("unsupported_media_type");
}

/** Returns true if the body is parsed as a form. On a `form_or_json` route the content type decides. */
export function isForm({ routeOptions, sentContentType = "" }: FastifyRequest): boolean {
  const { bodyFormat } = routeOptions.config;
  return bodyFormat === "form" || (bodyFormat === "form_or_json" && FORM_TYPE.test(sentContentType));
}

/** Parses the JSON body. Returns undefined for an empty body. */
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
    const location = position === undefined ? "" : `: line ${position.line}, column ${position.column}`;
    throw invalidField(`/body${pointer}`, reason, DETAILS[reason] + location);
  }
}

/**
 * Returns the fields of a form. On a `form_or_json` route, a field without a value counts as absent (RFC 6749, section
 * 3.2). Throws `validation_error` for a repeated field and for bytes that are not UTF-8.
 * Decoding would replace such bytes with U+FFFD, which could make different passwords equal.
 */
export function readForm({ rawBody, routeOptions }: FastifyRequest): Readonly<Record<string, string>> {
  const bytes = rawBody
    .toString("latin1")
    .replaceAll(/%([\da-f]{2})/gi, (_escape, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  if (!isUtf8(Buffer.from(bytes, "latin1"))) {
    throw invalidField("/body", "not_utf8", DETAILS.not_utf8);
  }
  const fields = [...new URLSearchParams(rawBody.toString("utf8"))];
  if (new Set(fields.map(([name]) => name)).size < fields.length) {
    throw invalidField("/body", "duplicate_key", DETAILS.duplicate_key);
  }
  const keepsEmpty = routeOptions.config.bodyFormat === "form";
  return Object.fromEntries(fields.filter(([, value]) => keepsEmpty || value !== ""));
}

function isEmptyObject(body: Buffer): boolean {
  return body.length < 64 && /^\s*\{\s*\}\s*$/.test(body.toString("latin1"));
}
