import { Secret, TOTP } from "otpauth";

const DIGITS = 6;
const PERIOD_SECONDS = 30;
/** How many steps a device's clock may be off, to either side. */
const STEPS_OFF_MAX = 1;
const SECRET_BYTES = 20;

/** A fresh secret for codes by time (RFC 6238), as base 32: the form that authenticator apps take. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The `otpauth://` address of a secret, which apps read as a QR code. Holds the secret. */
export function totpUrl({
  secret,
  account,
  issuer,
}: {
  readonly secret: string;
  readonly account: string;
  readonly issuer: string;
}): string {
  return new TOTP({
    secret: Secret.fromBase32(secret),
    label: account,
    issuer,
    digits: DIGITS,
    period: PERIOD_SECONDS,
  }).toString();
}

/**
 * The step that a code belongs to, if it is one of `now` or of a neighbouring step. Whether that step was used before is for
 * the caller to see: no code is good twice.
 *
 * @param secret base 32
 */
export function matchTotp(secret: string, code: string, now: Date): number | undefined {
  if (!/^[0-9]{6}$/.test(code)) return undefined;
  const delta = TOTP.validate({
    token: code,
    secret: Secret.fromBase32(secret),
    digits: DIGITS,
    period: PERIOD_SECONDS,
    timestamp: now.getTime(),
    window: STEPS_OFF_MAX,
  });
  return delta === null
    ? undefined
    : TOTP.counter({ period: PERIOD_SECONDS, timestamp: now.getTime() }) + delta;
}

/** The code that a device shows at `now`. */
export function totpCode(secret: string, now: Date): string {
  return TOTP.generate({
    secret: Secret.fromBase32(secret),
    digits: DIGITS,
    period: PERIOD_SECONDS,
    timestamp: now.getTime(),
  });
}
