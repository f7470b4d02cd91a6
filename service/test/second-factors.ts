import { totpCode } from "../src/crypto/totp.ts";
import type { accountsOf } from "./accounts.ts";
import type { useHarness } from "./harness.ts";

/** Helpers for accounts with a second factor. */
export function secondFactorsOf({ clock }: ReturnType<typeof useHarness>, accounts: ReturnType<typeof accountsOf>) {
  const DEVICE_STEP_SECONDS = 30;

  /** Creates an account with a second factor. The device's current code has not been used yet. */
  async function seed() {
    const account = await accounts.seedAccount();
    const { secret } = (await accounts.call("POST", "/dashboard/mfa/totp", {}, account.as)).body;
    const confirmed = await accounts.call(
      "POST",
      "/dashboard/mfa/totp/confirm",
      { code: totpCode(secret, clock.now()) },
      account.as,
    );
    nextStep();
    return {
      ...account,
      recoveryCodes: confirmed.body.recovery_codes as readonly string[],
      /** Returns the device's current code, or its code `steps` TOTP periods from now. */
      code: (steps = 0) =>
        totpCode(secret as string, new Date(clock.now().getTime() + steps * DEVICE_STEP_SECONDS * 1000)),
    };
  }

  /** Advances the clock by one TOTP period. */
  function nextStep(): void {
    clock.advanceSeconds(DEVICE_STEP_SECONDS);
  }

  /** Completes the password step of a login and returns the `mfa_token`. */
  async function begin(email: string): Promise<string> {
    const { body } = await accounts.logIn(email);
    return body.mfa_token;
  }

  const finish = (mfa_token: string, code: string) => accounts.call("POST", "/login/totp", { mfa_token, code });

  return { seed, nextStep, begin, finish };
}

/** Returns six digits that are not the current, previous or next code. */
export function wrongCodeOf(device: { code(steps?: number): string }): string {
  const right = new Set([-1, 0, 1].map((steps) => device.code(steps)));
  const wrong = ["000000", "111111", "222222", "333333"].find((code) => !right.has(code));
  return wrong ?? "";
}
