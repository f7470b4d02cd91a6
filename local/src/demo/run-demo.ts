import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createProgress } from "../progress.ts";
import { type LocalOptions, type LocalPurser, startLocal } from "../start-local.ts";
import { type Credentials, signUp } from "./sign-up.ts";
import { createSteps, type Steps } from "./steps.ts";

export interface DemoContext {
  /** The key pair of the developer who has signed up. */
  readonly credentials: Credentials;
  readonly mailboxUrl: string;
  /** The simulated vendors. */
  readonly sandbox: LocalPurser["sandbox"];
  /** The local networks: JSON-RPC at `/NETWORK`, USDC at `/NETWORK/mint`. */
  readonly networksUrl: string;
  /** The running service. */
  readonly app: LocalPurser["app"];
  readonly steps: Steps;
}

/**
 * Starts Purser as `npm start` does, in a temporary folder that is removed at the end. Signs up a developer and calls
 * `show`, which shows a part of the API.
 */
export async function runDemo(
  show: (context: DemoContext) => Promise<void>,
  write: (text: string) => void,
  options: Pick<LocalOptions, "limits" | "bundlerUrl">,
): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), "purser-demo-"));
  // If this process runs as root, PostgreSQL runs as another user, which must be able to enter the folder.
  await chmod(dataDir, 0o711);
  const steps = createSteps(write);
  const purser = await steps.do("Start Purser", async () => ({
    result: await startLocal({ ...options, dataDir, port: 0, progress: createProgress(() => {}) }),
    message: "a database, a mailbox, the simulated vendors and the service",
  }));
  try {
    const credentials = await signUp(purser, steps);
    const { mailboxUrl, sandbox, networksUrl, app } = purser;
    await show({ credentials, mailboxUrl, sandbox, networksUrl, app, steps });
  } finally {
    await purser.close();
    await rm(dataDir, { recursive: true, force: true });
  }
  steps.summary();
}
