import { randomFillSync } from "node:crypto";

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
export type UserOperationId = `uop_${string}`;
export type OperatorTransactionId = `otx_${string}`;
export type DepositId = `dep_${string}`;
export type PaymentId = `pay_${string}`;
export type InvoiceId = `inv_${string}`;
/** The id of a bank account. */
export type FiatAccountId = `ba_${string}`;
export type ConversionId = `conv_${string}`;
export type KillSwitchId = `kill_${string}`;
export type WebhookId = `wh_${string}`;

const DIGITS = "0123456789abcdefghjkmnpqrstvwxyz";
const DIGIT_PAIRS = Array.from({ length: 1024 }, (_, number) => `${DIGITS[number >> 5]}${DIGITS[number & 31]}`);

/** The 20 bits of a UUIDv7 after its time: the version, 12 bits that count, the variant, and two random bits. */
const VERSION_7 = 0x7_0000;
const VARIANT = 0b1000;
const COUNTER_SHIFT = 4;
const COUNTER_MAX = 0xfff;

let last = { ms: 0, counter: 0, timeDigits: "" };

/**
 * Returns a new id: the prefix, and a UUIDv7 as 26 lowercase base 32 characters. Later ids of this process sort after
 * earlier ones. This function runs several times for a request, so it must be fast.
 */
export function newId<Prefix extends string>(prefix: Prefix): `${Prefix}_${string}` {
  advance(Date.now());
  const counted = VERSION_7 | (last.counter << COUNTER_SHIFT) | VARIANT | (random20Bits() & 0b11);
  const head = `${prefix}_${last.timeDigits}${digitsOf(counted)}` as const;
  return `${head}${digitsOf(random20Bits())}${digitsOf(random20Bits())}${digitsOf(random20Bits())}`;
}

/** Increments the counter. A new millisecond starts with a random one. */
function advance(nowMs: number): void {
  if (nowMs <= last.ms && last.counter < COUNTER_MAX) last.counter += 1;
  else last = newMillisecond(Math.max(nowMs, last.ms + 1));
}

function newMillisecond(ms: number): typeof last {
  const high = Math.floor(ms / 2 ** 20);
  const timeDigits = `${DIGIT_PAIRS[high >> 20]}${digitsOf(high & 0xf_ffff)}${digitsOf(ms % 2 ** 20)}`;
  return { ms, counter: random20Bits() & (COUNTER_MAX >> 1), timeDigits };
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
