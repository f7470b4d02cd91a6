import { randomUUID } from "node:crypto";
import { typeid } from "typeid-js";

/** A developer's account, or the operators of this service, whose own rows stand under a tenant of theirs. */
export type TenantId = `dev_${string}` | typeof OPERATOR_TENANT;
export const OPERATOR_TENANT = "sys_operator";
export type AdminId = `adm_${string}`;
export type ApiKeyId = `key_${string}`;
export type ProjectId = `proj_${string}`;
export type AuditId = `aud_${string}`;
export type LinkId = `lnk_${string}`;
export type ServiceId = `srv_${string}`;
export type OperationId = `op_${string}`;

/**
 * A new id: the prefix names the resource, the 26 characters are a UUIDv7 in lower-case base 32, so that ids made later
 * sort later.
 */
export function newId<Prefix extends string>(prefix: Prefix): `${Prefix}_${string}` {
  return typeid(prefix).toString() as `${Prefix}_${string}`;
}

const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
const DIGIT_PAIRS = Array.from(
  { length: 1024 },
  (_, number) => `${DIGITS[number >> 5]}${DIGITS[number & 31]}`,
);

/**
 * A request's id, in the same form. Every request gets one, so it is made the short way, at a quarter of the cost: those of
 * one millisecond are in no order.
 */
export function newRequestId(): string {
  const time = Date.now().toString(16).padStart(12, "0");
  const hex = `${time}7${randomUUID().replaceAll("-", "").slice(13)}`;
  // 128 bits in digits of 5: two digits for the first eight bits, then four for each twenty.
  let text = `req_${DIGIT_PAIRS[Number.parseInt(hex.slice(0, 2), 16)]}`;
  for (let index = 2; index < hex.length; index += 5) {
    const bits = Number.parseInt(hex.slice(index, index + 5), 16);
    text += `${DIGIT_PAIRS[bits >> 10]}${DIGIT_PAIRS[bits & 1023]}`;
  }
  return text;
}

/** Whether a text has the form of an id with this prefix. One that has not is as absent as one that nobody has. */
export function isId<Prefix extends string>(
  prefix: Prefix,
  text: string,
): text is `${Prefix}_${string}` {
  return (
    text.startsWith(`${prefix}_`) &&
    /^[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text.slice(prefix.length + 1))
  );
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Whether a text is a UUID as RFC 9562 writes it, of whatever version and case. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
