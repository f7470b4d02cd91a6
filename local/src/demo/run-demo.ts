import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Purser } from "@purser/sdk";
import { waitForMail } from "@purser/simulators/mailbox/wait-for-mail.ts";
import { createProgress } from "../progress.ts";
import { type LocalPurser, startLocal } from "../start-local.ts";
import { refuseFlippedByte } from "./refuse-flipped-byte.ts";
import { solveCaptcha } from "./solve-captcha.ts";
import { createSteps, type Steps } from "./steps.ts";

const MAIL_TIMEOUT_MS = 10_000;

type Credentials = Readonly<Record<"baseUrl" | "apiKey" | "apiSecret", string>>;

/**
 * A developer's first journey over the product as `npm start` runs it, in a folder of its own that is removed at the end:
 * signup, mail, login, key pair, project, variables, and an environment that the client checks.
 */
export async function runDemo(write: (text: string) => void): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "purser-demo-"));
  // PostgreSQL runs as somebody else where this runs as root, and has to get in.
  await chmod(dataDir, 0o711);
  const steps = createSteps(write);
  const purser = await steps.do("Start the product", async () => ({
    result: await startLocal({ dataDir, port: 0, progress: createProgress(() => {}) }),
    told: "a database, a mailbox and the service, in an empty folder",
  }));
  try {
    const credentials = await signUpToFirstKey(purser, steps);
    await projectToCheckedEnvironment(credentials, steps);
  } finally {
    await purser.close();
    await rm(dataDir, { recursive: true, force: true });
  }
  steps.summary();
}

async function signUpToFirstKey(
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

async function projectToCheckedEnvironment(credentials: Credentials, steps: Steps) {
  const client = new Purser(credentials);
  const project = await steps.do("Create a project", async () => {
    const made = await client.projects.create({ name: "My App", monthly_cap: "50.00" });
    return {
      result: made,
      told: `${made.project_id}, at most ${made.monthly_cap} ${made.currency} a month`,
    };
  });
  const id = project.project_id;
  await steps.do("Set two variables", async () => {
    await client.projects.variables.set(id, "GREETING", { value: "hello" });
    const token = await client.projects.variables.set(id, "API_TOKEN", {
      value: randomBytes(24).toString("base64url"),
      sensitive: true,
    });
    return { result: token, told: "GREETING and API_TOKEN, sealed under the developer's key" };
  });
  await steps.do("Pull the environment", async () => {
    const bundle = await client.projects.env.pull(id);
    const names = Object.entries(bundle.env).map(([name, value]) => `${name}=${mask(value)}`);
    return { result: bundle, told: `${names.join(" ")}, signature and fingerprint good` };
  });
  await steps.do("Flip one byte of it", async () => ({
    result: await refuseFlippedByte(credentials, id),
    told: "noticed by the client",
  }));
  await steps.do("Verify the audit trail", async () => {
    const found = await client.audit.verify();
    if (found.valid !== true) throw new Error("The audit trail does not verify.");
    return { result: found, told: `${found.entries_checked} entries, one chain` };
  });
  await steps.do("Delete the project", async () => {
    const answer = await client.projects.delete(id);
    return { result: answer, told: answer.status };
  });
}

function mask(value: string): string {
  return `${value.slice(0, 2)}${"•".repeat(6)}`;
}
