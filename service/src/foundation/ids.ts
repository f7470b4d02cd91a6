import { randomFillSync } from "node:crypto";
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

const VERSION_7 = 0x7_0000;
const VARIANT = 0b1000;
/** The random bits of the twenty that hold the version and the variant too. */
const RANDOM_BESIDE_THEM = 0x0_fff3;

/**
 * A request's id, in the same form. Every request gets one, so it is made the short way, at a tenth of the cost: those of
 * one millisecond are in no order.
 */
export function newRequestId(): string {
  const versioned = VERSION_7 | VARIANT | (random20Bits() & RANDOM_BESIDE_THEM);
  const head = `req_${timeDigits(Date.now())}${digitsOf(versioned)}`;
  return `${head}${digitsOf(random20Bits())}${digitsOf(random20Bits())}${digitsOf(random20Bits())}`;
}

let digitsMade = { ofMs: Number.NaN, text: "" };

/** The ten digits of a time, which are the same for a millisecond. */
function timeDigits(ms: number): string {
  if (ms !== digitsMade.ofMs) {
    const high = Math.floor(ms / 2 ** 20);
    const text = `${DIGIT_PAIRS[high >> 20]}${digitsOf(high & 0xf_ffff)}${digitsOf(ms % 2 ** 20)}`;
    digitsMade = { ofMs: ms, text };
  }
  return digitsMade.text;
}

/** Four digits of five bits each. */
function digitsOf(bits: number): string {
  return `${DIGIT_PAIRS[bits >> 10]}${DIGIT_PAIRS[bits & 1023]}`;
}

/** Asked of the system for many ids at once. */
const randomWords = new Uint32Array(1024);
let wordsUsed = randomWords.length;

function random20Bits(): number {
  if (wordsUsed === randomWords.length) {
    randomFillSync(randomWords);
    wordsUsed = 0;
  }
  const word = randomWords[wordsUsed] ?? 0;
  wordsUsed += 1;
  return word >>> 12;
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
