import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { waitForMail } from "@purser/simulators/mailbox/wait-for-mail.ts";
import type { Sandbox } from "@purser/simulators/sandbox/start-sandbox.ts";
import { createProgress } from "../../../local/src/progress.ts";
import { startLocal } from "../../../local/src/start-local.ts";
import type { Answer, KeyPair } from "../signed-client.ts";
import { anonymous, bearing, type Caller, signing } from "./callers.ts";

const MAIL_TIMEOUT_MS = 10_000;

/** What the rows share: the product, and what they have learned of it so far. */
export interface World {
  readonly baseUrl: string;
  readonly sandbox: Sandbox;
  readonly nobody: Caller;
  /** The demo developer's pairs. */
  readonly live: Caller;
  readonly livePair: KeyPair;
  readonly test: Caller;
  /** The demo developer, signed in. */
  readonly session: Caller;
  readonly admin: {
    readonly email: string;
    readonly password: string;
    readonly totpSecret: string;
  };
  /** Of somebody who has only just signed up. */
  readonly newcomer: { readonly email: string; readonly password: string };
  readonly demo: { readonly email: string; readonly password: string };
  /** As the token says that the admin's rows have left. */
  adminCaller(): Caller;
  /** Values that one row leaves for those after it. */
  readonly kept: Map<string, string>;
  /** What was kept under a name, or nothing, which no row takes for good. */
  recall(name: string): string;
  /** The secret of the link in the newest mail that fits. */
  mail(to: string, subjectIncludes: string): Promise<string>;
  close(): Promise<void>;
}

/** Starts the product as `npm start` does, in a folder of its own. */
export async function openWorld(): Promise<World> {
  const dataDir = await mkdtemp(join(tmpdir(), "purser-conformance-"));
  // PostgreSQL runs as somebody else where this runs as root, and has to get in.
  await chmod(dataDir, 0o711);
  const purser = await startLocal({ dataDir, port: 0, progress: createProgress(() => {}) });
  const { baseUrl, mailboxUrl, sandbox, demo } = purser;
  const nobody = anonymous(baseUrl);
  const livePair = { apiKey: demo.live.api_key, apiSecret: demo.live.api_secret };
  const kept = new Map<string, string>();
  // The session that a row is to end.
  await logIn(nobody, demo);
  const recall = (name: string) => kept.get(name) ?? "";
  return {
    baseUrl,
    sandbox,
    nobody,
    demo,
    livePair,
    live: signing(baseUrl, livePair),
    test: signing(baseUrl, { apiKey: demo.test.api_key, apiSecret: demo.test.api_secret }),
    session: bearing(baseUrl, await logIn(nobody, demo)),
    admin: {
      email: purser.admin.email,
      password: purser.admin.password,
      totpSecret: purser.admin.totp_secret,
    },
    newcomer: {
      email: `ada.${randomBytes(4).toString("hex")}@example.com`,
      password: randomBytes(18).toString("base64url"),
    },
    kept,
    recall,
    adminCaller: () => bearing(baseUrl, recall("admin token")),
    mail: async (to, subjectIncludes) => {
      const { links } = await waitForMail(mailboxUrl, {
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

/** A new access token. */
async function logIn(
  nobody: Caller,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<string> {
  const answer = await nobody({
    method: "POST",
    path: "/developers/login",
    body: { email, password },
  });
  return text(answer, "access_token");
}

/** A text of an answer's body, wherever in it: `key.key_id`. */
export function text({ status, body }: Answer, path: string): string {
  const found = path
    .split(".")
    .reduce<unknown>(
      (at, name) => (Object(at) === at ? Reflect.get(Object(at), name) : undefined),
      body,
    );
  if (typeof found !== "string") throw new Error(`An answer of ${status} has no ${path}.`);
  return found;
}
