import type { FastifyRequest } from "fastify";
import { AppError, invalidField } from "../foundation/errors.ts";
import { parseStrictJson, type StrictJson, StrictJsonError } from "../foundation/strict-json.ts";

/** Each blank can be read in one way only, so that a header full of them is refused in a time that grows with its length. */
const JSON_TYPE = /^application\/json(?:\s*;\s*charset\s*=\s*"?utf-8"?)?\s*(?:;\s*)?$/i;

const WORDS = {
  not_utf8: "is not UTF-8",
  not_json: "is not JSON",
  duplicate_key: "has two members of one name",
  forbidden_key: "has a member called __proto__",
  too_deep: "is nested deeper than 32",
} as const satisfies Record<StrictJsonError["reason"], string>;

/** Refuses a body that is not JSON by its own words, before anybody reads it. No body needs no content type. */
export function checkMediaType({ rawBody, headers, sentContentType }: FastifyRequest): void {
  const encoding = headers["content-encoding"];
  if (rawBody.length === 0) return;
  if (encoding !== undefined && encoding !== "identity") {
    throw new AppError("unsupported_media_type", { internal: `content encoding ${encoding}` });
  }
  if (!sentContentType && isEmptyObject(rawBody)) return;
  if (!JSON_TYPE.test(sentContentType ?? "")) throw new AppError("unsupported_media_type");
}

/** Reads the body once. Undefined where there is none. */
export function readBody({ rawBody }: FastifyRequest): StrictJson | undefined {
  if (rawBody.length === 0) return undefined;
  try {
    return parseStrictJson(rawBody);
  } catch (thrown) {
    if (!(thrown instanceof StrictJsonError)) throw thrown;
    throw invalidField("/body", thrown.reason, WORDS[thrown.reason]);
  }
}

function isEmptyObject(body: Buffer): boolean {
  return body.length < 64 && /^\s*\{\s*\}\s*$/.test(body.toString("latin1"));
}
