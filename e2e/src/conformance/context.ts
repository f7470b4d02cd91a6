import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { App } from "@purser/service/app.ts";
import { waitForEmail } from "@purser/simulators/mailbox/wait-for-email.ts";
import type { Sandbox } from "@purser/simulators/sandbox/start-sandbox.ts";
import { createProgress } from "../../../local/src/progress.ts";
import { startLocal } from "../../../local/src/start-local.ts";
import type { ApiResponse, KeyPair } from "../signed-client.ts";
import { bearerCaller, type Caller, signedCaller, unauthenticatedCaller } from "./callers.ts";

const MAIL_TIMEOUT_MS = 10_000;

/** A running Purser server, its callers, and the values that operations save for later operations. */
export interface ConformanceContext {
  readonly baseUrl: string;
  readonly sandbox: Sandbox;
  /** The running service, to create what no call can create. */
  readonly app: App;
  readonly anonymous: Caller;
  /** `live` and `test` sign with the demo developer's key pairs. */
  readonly live: Caller;
  readonly livePair: KeyPair;
  readonly test: Caller;
  /** Sends the access token of the demo developer's session. */
  readonly session: Caller;
  readonly admin: {
    readonly email: string;
    readonly password: string;
    readonly totpSecret: string;
  };
  /** Credentials of the developer that the operations sign up. */
  readonly newcomer: { readonly email: string; readonly password: string };
  readonly demo: { readonly email: string; readonly password: string };
  /** Returns a caller that sends the admin token saved by an earlier operation. */
  adminCaller(): Caller;
  /** Values that operations save for later operations. */
  readonly saved: Map<string, string>;
  /** Returns a saved value, or an empty string if there is none. A call that uses the empty string fails. */
  recall(name: string): string;
  /** Returns the token from the URL in the newest matching email. */
  mail(to: string, subjectIncludes: string): Promise<string>;
  close(): Promise<void>;
}

/** Starts Purser as `npm start` does, in a temporary folder. */
export async function startConformanceContext(): Promise<ConformanceContext> {
  const dataDir = await mkdtemp(join(tmpdir(), "purser-conformance-"));
  // If this process runs as root, PostgreSQL runs as another user, which must be able to enter the folder.
  await chmod(dataDir, 0o711);
  const purser = await startLocal({ dataDir, port: 0, progress: createProgress(() => {}) });
  const { baseUrl, mailboxUrl, sandbox, app, demo } = purser;
  const anonymous = unauthenticatedCaller(baseUrl);
  const livePair = { apiKey: demo.live.api_key, apiSecret: demo.live.api_secret };
  // The values of path parameters that are no ids.
  const saved = new Map([
    ["name", "GREETING"],
    ["provider", "helius"],
    ["vendor", "stripe"],
  ]);
  // Creates another session, which an operation ends later.
  await logIn(anonymous, demo);
  const recall = (name: string) => saved.get(name) ?? "";
  return {
    baseUrl,
    sandbox,
    app,
    anonymous,
    demo,
    livePair,
    live: signedCaller(baseUrl, livePair),
    test: signedCaller(baseUrl, { apiKey: demo.test.api_key, apiSecret: demo.test.api_secret }),
    session: bearerCaller(baseUrl, await logIn(anonymous, demo)),
    admin: {
      email: purser.admin.email,
      password: purser.admin.password,
      totpSecret: purser.admin.totp_secret,
    },
    newcomer: {
      email: `ada.${randomBytes(4).toString("hex")}@example.com`,
      password: randomBytes(18).toString("base64url"),
    },
    saved,
    recall,
    adminCaller: () => bearerCaller(baseUrl, recall("admin token")),
    mail: async (to, subjectIncludes) => {
      const { links } = await waitForEmail(mailboxUrl, {
        to,
        subjectIncludes,
        timeoutMs: MAIL_TIMEOUT_MS,
      });
      const link = links.find((candidate) => candidate.includes("token=")) ?? "";
      return new URL(link).searchParams.get("token") ?? "";
    },
    close: async () => {
      await purser.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Logs in and returns the access token. */
async function logIn(
  anonymous: Caller,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<string> {
  const response = await anonymous({
    method: "POST",
    path: "/developers/login",
    body: { email, password },
  });
  return text(response, "access_token");
}

/** Returns a string from the response body by its path, for example `key.key_id`. */
export function text({ status, body }: ApiResponse, path: string): string {
  const found = path
    .split(".")
    .reduce<unknown>((at, name) => (Object(at) === at ? Reflect.get(Object(at), name) : undefined), body);
  if (typeof found !== "string") throw new Error(`The response (${status}) has no ${path}.`);
  return found;
}
