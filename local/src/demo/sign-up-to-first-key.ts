import { randomBytes } from "node:crypto";
import { Purser } from "@purser/sdk";
import { waitForMail } from "@purser/simulators/mailbox/wait-for-mail.ts";
import type { LocalPurser } from "../start-local.ts";
import { solveCaptcha } from "./solve-captcha.ts";
import type { Steps } from "./steps.ts";

const MAIL_TIMEOUT_MS = 10_000;

export type Credentials = Readonly<Record<"baseUrl" | "apiKey" | "apiSecret", string>>;

/** From nobody to a developer with a key pair: captcha, signup, mail, login, registration. */
export async function signUpToFirstKey(
  { baseUrl, mailboxUrl }: LocalPurser,
  steps: Steps,
): Promise<Credentials> {
  const email = `ada.${randomBytes(4).toString("hex")}@example.com`;
  const password = randomBytes(18).toString("base64url");
  const visitor = new Purser({ baseUrl });

  const captchaToken = await steps.do("Solve the captcha", async () => ({
    result: await solveCaptcha(await visitor.developers.captcha()),
    told: "a proof of work, checked by the service itself",
  }));
  await steps.do("Sign up", async () => {
    const answer = await visitor.developers.signUp({
      email,
      password,
      captcha_token: captchaToken,
    });
    return { result: answer, told: `${answer.status} for ${answer.email}` };
  });
  const token = await steps.do("Receive the mail", async () => {
    const mail = await waitForMail(mailboxUrl, { to: email, timeoutMs: MAIL_TIMEOUT_MS });
    const link = mail.links.find((candidate) => candidate.includes("verify-email")) ?? "";
    return { result: new URL(link).searchParams.get("token") ?? "", told: `“${mail.subject}”` };
  });
  await steps.do("Verify the address", async () => {
    const answer = await visitor.developers.verifyEmail(token);
    return { result: answer, told: answer.status };
  });
  const session = await steps.do("Log in", async () => {
    const answer = await visitor.developers.logIn({ email, password });
    if (!("access_token" in answer)) throw new Error("The login asks for a second factor.");
    return { result: answer, told: `a session of ${answer.expires_in} s` };
  });
  const pair = await steps.do("Register for the first key pair", async () => {
    const dashboard = new Purser({ baseUrl, accessToken: session.access_token });
    const answer = await dashboard.developers.register({ company_name: "Analytical Engines" });
    return { result: answer, told: `${answer.key.key_prefix}${answer.key.key_hint}` };
  });
  return { baseUrl, apiKey: pair.api_key, apiSecret: pair.api_secret ?? "" };
}
