import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { BadRequestError, Purser } from "@purser/sdk";
import { totpCode } from "@purser/service/crypto/totp.ts";
import { waitForEmail } from "@purser/simulators/mailbox/wait-for-email.ts";
import type { StartLine } from "../../../local/test/local-profile.ts";

const MAIL_MAX_MS = 30_000;
const DEVICE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";
const POLLS_MAX = 10;
const TOTP_STEP_MS = 30_000;

export const PASSWORD = "tin whistle under glass";

export interface TestUser {
  readonly email: string;
  readonly password: string;
  /** An SDK client with its own session for this developer. */
  readonly api: Purser;
}

/** Signs up developers and reads the emails sent to them. */
export function createTestUsers(line: () => StartLine) {
  const anonymousClient = () => new Purser({ baseUrl: line().base_url });
  const newEmail = (name = "ada") => `${name}-${randomUUID()}@example.com`;

  /** Returns the first URL in the newest email whose subject contains the text. */
  async function emailedUrl(email: string, subjectIncludes: string): Promise<string> {
    const { mailbox_url } = line();
    const expected = { to: email, subjectIncludes, timeoutMs: MAIL_MAX_MS };
    const { links } = await waitForEmail(mailbox_url, expected);
    const [link] = links;
    if (link === undefined) throw new Error("The email contains no URL.");
    return link;
  }

  return {
    anonymousClient,
    /** Returns an SDK client with these credentials. */
    as: (credentials: object) => new Purser({ baseUrl: line().base_url, ...credentials }),
    newEmail,
    emailedUrl,
    async signUp(): Promise<TestUser> {
      const email = newEmail();
      const account = { email, password: PASSWORD };
      await anonymousClient().developers.signUp({ ...account, captcha_token: "sandbox-pass" });
      const link = await emailedUrl(email, "Verify your email address");
      await anonymousClient().developers.verifyEmail({ token: new URL(link).searchParams.get("token") ?? "" });
      const session = await anonymousClient().developers.logIn(account);
      if (!("access_token" in session)) throw new Error("The login requires a second factor.");
      const { base_url: baseUrl } = line();
      const credentials = { session: session.access_token, mode: "live" } as const;
      return { ...account, api: new Purser({ baseUrl, ...credentials }) };
    },
  };
}

/** Enables the second factor. Returns the code for the next time step, because the current code has been used. */
export async function enableSecondFactor({ api }: TestUser) {
  const { secret } = await api.developers.secondFactor.begin();
  const now = new Date();
  const confirmed = await api.developers.secondFactor.confirm({ code: totpCode(secret, now) });
  const code = totpCode(secret, new Date(now.getTime() + TOTP_STEP_MS));
  return { code, recoveryCodes: confirmed.recovery_codes };
}

/** Polls for a device login's key pair at the interval that the server returned. */
export async function pollForPair(
  { developers: { devices } }: Purser,
  { device_code, interval }: { readonly device_code: string; readonly interval: number },
) {
  for (let polls = 0; polls < POLLS_MAX; polls += 1) {
    await wait(interval * 1_000);
    try {
      return await devices.collect({ grant_type: DEVICE_GRANT, device_code });
    } catch (error) {
      const isPending = error instanceof BadRequestError && error.code === "authorization_pending";
      if (!isPending) throw error;
    }
  }
  throw new Error("The device login was not approved.");
}
