import { Secret, TOTP } from "otpauth";

const DIGITS = 6;
const PERIOD_SECONDS = 30;
/** Number of time steps that a device's clock can be ahead or behind. */
const CLOCK_STEPS_MAX = 1;
const SECRET_BYTES = 20;

/** Returns a new TOTP secret (RFC 6238) in base 32, as authenticator apps expect it. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

interface TotpUrl {
  readonly secret: string;
  readonly account: string;
  readonly issuer: string;
}

/** Returns the `otpauth://` URL that authenticator apps read from a QR code. The URL contains the secret. */
export function totpUrl({ secret, account, issuer }: TotpUrl): string {
  return new TOTP({
    secret: Secret.fromBase32(secret),
    label: account,
    issuer,
    digits: DIGITS,
    period: PERIOD_SECONDS,
  }).toString();
}

/**
 * Returns the time step of a code that is valid within one step of `now`, or undefined. A code can be used only once,
 * so the caller must check that its step was not used before.
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
    window: CLOCK_STEPS_MAX,
  });
  return delta === null ? undefined : TOTP.counter({ period: PERIOD_SECONDS, timestamp: now.getTime() }) + delta;
}

/** Returns the code that an authenticator app shows at `now`. */
export function totpCode(secret: string, now: Date): string {
  return TOTP.generate({
    secret: Secret.fromBase32(secret),
    digits: DIGITS,
    period: PERIOD_SECONDS,
    timestamp: now.getTime(),
  });
}
