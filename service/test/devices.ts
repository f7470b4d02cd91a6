import type { accountsOf } from "./accounts.ts";
import type { useHarness } from "./harness.ts";

const GRANT_TYPE = "urn:ietf:params:oauth:grant-type:device_code";

/** Helpers for device logins, including their approval and denial. */
export function devicesOf({ clock }: ReturnType<typeof useHarness>, accounts: ReturnType<typeof accountsOf>) {
  type Account = Awaited<ReturnType<typeof accounts.seedAccount>>;

  const begin = (body: object = { client_name: "purser on ada's laptop" }, from?: string) =>
    accounts.call("POST", "/oauth/device", body, from === undefined ? {} : { from });

  /** Starts a device login. */
  async function seed(body?: object) {
    const answer = await begin(body);
    return {
      deviceCode: answer.body.device_code as string,
      userCode: answer.body.user_code as string,
    };
  }

  /** Advances the clock by the polling interval, then polls for the key pair. */
  async function poll(deviceCode: string, waitSeconds = 5) {
    clock.advanceSeconds(waitSeconds);
    return collect(deviceCode);
  }

  const collect = (device_code: string) =>
    accounts.call("POST", "/oauth/device/token", { grant_type: GRANT_TYPE, device_code });

  const decide = ({ as }: Pick<Account, "as">, body: object, headers = {}) =>
    accounts.call("POST", "/oauth/device/approve", body, {
      headers: { ...as.headers, ...headers },
    });

  return { begin, seed, poll, collect, decide };
}
