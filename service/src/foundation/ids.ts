import { randomFillSync } from "node:crypto";
import { typeid } from "typeid-js";

/** The id of a developer's account, or of the tenant that owns the operators' rows. */
export type TenantId = `dev_${string}` | typeof OPERATOR_TENANT;
export const OPERATOR_TENANT = "sys_operator";
export type AdminId = `adm_${string}`;
export type ApiKeyId = `key_${string}`;
export type ProjectId = `proj_${string}`;
export type AuditId = `aud_${string}`;
export type LinkId = `lnk_${string}`;
export type ServiceId = `srv_${string}`;
export type OperationId = `op_${string}`;
export type LedgerAccountId = `lac_${string}`;
export type LedgerTransferId = `ltr_${string}`;
export type PolicyId = `pol_${string}`;
export type PolicyDecisionId = `pdc_${string}`;
export type ApprovalId = `apr_${string}`;
export type WalletId = `wal_${string}`;
export type PaymentId = `pay_${string}`;
export type InvoiceId = `inv_${string}`;
export type KillSwitchId = `kill_${string}`;

/** Returns a new id: the prefix, and a UUIDv7 as 26 lowercase base 32 characters. Later ids sort after earlier ones. */
export function newId<Prefix extends string>(prefix: Prefix): `${Prefix}_${string}` {
  return typeid(prefix).toString() as `${Prefix}_${string}`;
}

const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
const DIGIT_PAIRS = Array.from({ length: 1024 }, (_, number) => `${DIGITS[number >> 5]}${DIGITS[number & 31]}`);

const VERSION_7 = 0x7_0000;
const VARIANT = 0b1000;
/**
 * In the 20 bits after the time, the UUID's version and variant are fixed. The mask selects the other bits, which are
 * random.
 */
const RANDOM_MASK = 0x0_fff3;

/**
 * Returns a request id in the form of `newId`. This function runs for every request, so it must be fast. Unlike
 * `newId`, it does not order ids from the same millisecond.
 */
export function newRequestId(): string {
  const versioned = VERSION_7 | VARIANT | (random20Bits() & RANDOM_MASK);
  const head = `req_${timeDigits(Date.now())}${digitsOf(versioned)}`;
  return `${head}${digitsOf(random20Bits())}${digitsOf(random20Bits())}${digitsOf(random20Bits())}`;
}

let cachedDigits = { ofMs: Number.NaN, text: "" };

/** Encodes a time as ten base 32 digits. The result is cached for the current millisecond. */
function timeDigits(ms: number): string {
  if (ms !== cachedDigits.ofMs) {
    const high = Math.floor(ms / 2 ** 20);
    const text = `${DIGIT_PAIRS[high >> 20]}${digitsOf(high & 0xf_ffff)}${digitsOf(ms % 2 ** 20)}`;
    cachedDigits = { ofMs: ms, text };
  }
  return cachedDigits.text;
}

/** Encodes 20 bits as four base 32 digits. */
function digitsOf(bits: number): string {
  return `${DIGIT_PAIRS[bits >> 10]}${DIGIT_PAIRS[bits & 1023]}`;
}

/** Random bits, fetched from the system in batches. */
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

/** Returns true if the text has the form of an id with this prefix. Callers treat a malformed id like an unknown id. */
export function isId<Prefix extends string>(prefix: Prefix, text: string): text is `${Prefix}_${string}` {
  return text.startsWith(`${prefix}_`) && /^[0-7][0-9a-hjkmnp-tv-z]{25}$/.test(text.slice(prefix.length + 1));
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Returns true for a UUID (RFC 9562) of any version, in uppercase or lowercase. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
