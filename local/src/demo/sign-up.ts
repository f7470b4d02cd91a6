import { randomBytes } from "node:crypto";
import { Purser } from "@purser/sdk";
import { waitForEmail } from "@purser/simulators/mailbox/wait-for-email.ts";
import type { LocalPurser } from "../start-local.ts";
import { solveCaptcha } from "./solve-captcha.ts";
import type { Steps } from "./steps.ts";

const MAIL_TIMEOUT_MS = 10_000;

export type Credentials = Readonly<Record<"baseUrl" | "apiKey" | "apiSecret", string>>;

/**
 * Creates a developer with a key pair: solves the captcha, signs up, verifies the email address, logs in and registers.
 */
export async function signUp(
  { baseUrl, mailboxUrl }: Pick<LocalPurser, "baseUrl" | "mailboxUrl">,
  steps: Steps,
): Promise<Credentials> {
  const email = `ada.${randomBytes(4).toString("hex")}@example.com`;
  const password = randomBytes(18).toString("base64url");
  const anonymous = new Purser({ baseUrl });

  const captchaToken = await steps.do("Solve the captcha", async () => ({
    result: await solveCaptcha(await anonymous.developers.captcha()),
    message: "a proof of work",
  }));
  await steps.do("Sign up", async () => {
    const response = await anonymous.developers.signUp({
      email,
      password,
      captcha_token: captchaToken,
    });
    return { result: response, message: `${response.status} for ${response.email}` };
  });
  const token = await steps.do("Receive the email", async () => {
    const mail = await waitForEmail(mailboxUrl, { to: email, timeoutMs: MAIL_TIMEOUT_MS });
    const link = mail.links.find((candidate) => candidate.includes("verify-email")) ?? "";
    return { result: new URL(link).searchParams.get("token") ?? "", message: `“${mail.subject}”` };
  });
  await steps.do("Verify the address", async () => {
    const response = await anonymous.developers.verifyEmail({ token });
    return { result: response, message: response.status };
  });
  const session = await steps.do("Log in", async () => {
    const response = await anonymous.developers.logIn({ email, password });
    if (!("access_token" in response)) throw new Error("The login requires a second factor.");
    return { result: response, message: `access token valid for ${response.expires_in} s` };
  });
  const pair = await steps.do("Create the first key pair", async () => {
    const dashboard = new Purser({ baseUrl, session: session.access_token });
    const response = await dashboard.developers.register({ company_name: "Analytical Engines" });
    return { result: response, message: `${response.key.key_prefix}${response.key.key_hint}` };
  });
  return { baseUrl, apiKey: pair.api_key, apiSecret: pair.api_secret ?? "" };
}
