import type { Outcome } from "@purser/simulators/kit/outcome.ts";
import type { Sandbox } from "@purser/simulators/sandbox/start-sandbox.ts";
import { startOwnPostgres } from "../../own-postgres.ts";
import type { Environment } from "../../server-process.ts";
import { PUBLIC_URL } from "../../vendor-environment.ts";
import { countInvalidRequests, startOwnSandbox } from "../kills/own-sandbox.ts";
import { pick, random } from "../random.ts";

/** Calls of conversions. Accounts are linked without disturbance. */
const DISTURBED = /Transfers?$/;
/** One call in this number gets another outcome than `ok`, and one webhook in this number is lost. */
const DISTURBED_EVERY = 6;
const OUTCOMES: readonly Outcome[] = [
  ...(["timeout_applied", "timeout_lost", "error_applied", "duplicate", "slow", "rate_limited"] as const),
];
/** How long the service waits for an answer. A `slow` answer arrives before or after that. */
const TIMEOUT_MS = 1_000;
const SLOW_MS_MAX = 1_500;

export interface Bridge {
  readonly sandbox: Sandbox;
  readonly environment: Environment;
  /** The number of calls about transfers so far. */
  calls(): number;
  /** The number of calls that got each outcome other than `ok`. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** The numbers of webhooks that arrived and that were lost. */
  readonly webhooks: Readonly<Record<"delivered" | "lost", number>>;
  /** From now on, each call has the outcome `ok`. */
  calm(): void;
  /** Returns the number of requests that violate the API description of Bridge or Plaid. */
  countInvalidRequests(): Promise<number>;
  close(): Promise<void>;
}

/**
 * Starts the simulators in this process, with a PostgreSQL of their own, which is not killed. Bridge's webhooks go to the service
 * at `serviceUrl`, and some are lost, also because the service does not run.
 */
export async function startBridge(serviceUrl: () => string): Promise<Bridge> {
  const postgres = await startOwnPostgres();
  const outcomes: Record<string, number> = {};
  const webhooks = { delivered: 0, lost: 0 };
  let [calls, isCalm] = [0, false];
  const sandbox = await startOwnSandbox(postgres, {
    chooseOutcome: (vendor, { operation }) => {
      const isOfConversion = vendor === "bridge" && DISTURBED.test(operation);
      if (isOfConversion) calls += 1;
      if (!isOfConversion || isCalm || random(DISTURBED_EVERY) > 0) return { outcome: "ok", delayMs: 0 };
      const outcome = pick(OUTCOMES, random(OUTCOMES.length));
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      return { outcome, delayMs: random(SLOW_MS_MAX) };
    },
    sendWebhook: async ({ vendor, body, headers }) => {
      const isSent = random(DISTURBED_EVERY) > 0 && (await deliver(serviceUrl(), { vendor, body, headers }));
      webhooks[isSent ? "delivered" : "lost"] += 1;
    },
  });
  const variables = Object.entries(sandbox.environment).filter(([name]) => /^(BRIDGE|PLAID)_/.test(name));
  return {
    ...{ sandbox, outcomes, webhooks },
    environment: {
      ...Object.fromEntries(variables),
      PURSER_PUBLIC_URL: PUBLIC_URL,
      PURSER_PROVIDER_TIMEOUT_MS: String(TIMEOUT_MS),
      PURSER_SYNC_WAIT_MS: "1500",
    },
    calls: () => calls,
    calm: () => {
      isCalm = true;
    },
    countInvalidRequests: () => countInvalidRequests(sandbox, ["bridge", "plaid"]),
    close: async () => {
      await sandbox.close();
      await postgres.remove();
    },
  };
}

async function deliver(
  url: string,
  { vendor, body, headers }: { readonly vendor: string; readonly body: string; readonly headers: Environment },
): Promise<boolean> {
  const sent = fetch(`${url}/api/v1/svc/vendor-webhooks/${vendor}`, { method: "POST", body, headers });
  return sent.then(
    ({ ok }) => ok,
    () => false,
  );
}
