import { totpCode } from "../src/crypto/totp.ts";
import type { accountsOf } from "./accounts.ts";
import type { useHarness } from "./harness.ts";

/** Accounts whose logins ask for a second factor. */
export function secondFactorsOf(
  { clock }: ReturnType<typeof useHarness>,
  accounts: ReturnType<typeof accountsOf>,
) {
  const DEVICE_STEP_SECONDS = 30;

  /** An account with a second factor, at a moment whose code has not been used. */
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
      /** What the device shows now, or showed or will show so many steps from now. */
      code: (steps = 0) =>
        totpCode(
          secret as string,
          new Date(clock.now().getTime() + steps * DEVICE_STEP_SECONDS * 1000),
        ),
    };
  }

  /** Waits until devices show another code. */
  function nextStep(): void {
    clock.advanceSeconds(DEVICE_STEP_SECONDS);
  }

  /** Shows the password, and gives the token that waits for the second factor. */
  async function begin(email: string): Promise<string> {
    const { body } = await accounts.logIn(email);
    return body.mfa_token;
  }

  const finish = (mfa_token: string, code: string) =>
    accounts.call("POST", "/login/totp", { mfa_token, code });

  return { seed, nextStep, begin, finish };
}

/** Six digits that the device shows neither now nor one step before or after. */
export function wrongCodeOf(device: { code(steps?: number): string }): string {
  const right = new Set([-1, 0, 1].map((steps) => device.code(steps)));
  const wrong = ["000000", "111111", "222222", "333333"].find((code) => !right.has(code));
  return wrong ?? "";
}
