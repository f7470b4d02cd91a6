import type { Outcome } from "@purser/simulators/kit/outcome.ts";
import type { VendorRequest } from "@purser/simulators/kit/vendor-simulator.ts";
import type { Sandbox } from "@purser/simulators/sandbox/start-sandbox.ts";
import type { OwnPostgres } from "../../own-postgres.ts";
import type { Environment } from "../../server-process.ts";
import { vendorEnvironment } from "../../vendor-environment.ts";
import { countInvalidRequests, startOwnSandbox } from "../kills/own-sandbox.ts";
import { pick, random } from "../random.ts";

/** Calls of sagas. Accounts are linked and cards attached without disturbance. */
const DISTURBED: Readonly<Record<string, RegExp>> = {
  neon: /^(?!get(AuthDetails|CurrentUser))/,
  supabase: /^(?!v1-(list-all-organizations|exchange))/,
  "acme-db": /^(?!getAccount)/,
  "acme-analytics": /Resources?$|^(rotateCredentials|updateService)$/,
  "acme-queue": /Resources?$|^(rotateCredentials|updateService)$/,
  stripe: /^(PostCustomers|DeleteCustomersCustomer|GetSetupIntentsIntent)$/,
};
/** One call in this number gets another outcome than `ok`. */
const DISTURBED_EVERY = 6;
/** Rejections are rare, because they end a saga. */
const OUTCOMES: readonly Outcome[] = [
  ...["timeout_applied", "timeout_applied", "timeout_lost", "timeout_lost"],
  ...["error_applied", "error_applied", "duplicate", "duplicate", "slow", "slow"],
  ...["rate_limited", "refused"],
] as Outcome[];
/** These calls can be repeated, so a vendor has no error for a repeated one. An error means that nothing was rotated. */
const ROTATIONS: ReadonlySet<string> = new Set([
  ...["rotateCredentials", "rotatePassword", "v1-update-database-password"],
]);
const OUTCOMES_OF_ROTATION = OUTCOMES.filter((outcome) => outcome !== "duplicate");
/** How long the service waits for an answer. A `slow` answer arrives before or after that. */
const TIMEOUT_MS = 1_000;
const SLOW_MS_MAX = 1_500;

/** A vendor call whose outcome was not `ok`. */
export interface TakenOutcome {
  readonly vendor: string;
  readonly operation: string;
  readonly outcome: Outcome;
  readonly at: Date;
  /** The customer, project or resource that the call names, otherwise its access token. */
  readonly about: string;
}

export interface Vendors {
  readonly sandbox: Sandbox;
  readonly environment: Environment;
  /** The number of vendor calls of sagas so far. */
  calls(): number;
  /** Outcomes that calls got so far. */
  readonly taken: readonly TakenOutcome[];
  /** From now on, each call has the outcome `ok`. */
  calm(): void;
  /** Returns the number of requests that violate a vendor's API description. */
  countInvalidRequests(): Promise<number>;
  close(): Promise<void>;
}

/** Starts the simulators in this process, with a database of their own, and chooses the outcomes of calls at random. */
export async function startVendors(postgres: OwnPostgres): Promise<Vendors> {
  const taken: TakenOutcome[] = [];
  let isCalm = false;
  let calls = 0;
  const sandbox = await startOwnSandbox(postgres, {
    chooseOutcome: (vendor, request) => {
      const { operation } = request;
      const isOfSaga = DISTURBED[vendor]?.test(operation) ?? false;
      if (isOfSaga) calls += 1;
      const isDisturbed = isOfSaga && !isCalm && random(DISTURBED_EVERY) === 0;
      if (!isDisturbed) return { outcome: "ok", delayMs: 0 };
      const outcomes = ROTATIONS.has(operation) ? OUTCOMES_OF_ROTATION : OUTCOMES;
      const outcome = pick(outcomes, random(outcomes.length));
      taken.push({ vendor, operation, outcome, at: new Date(), about: aboutOf(request) });
      return { outcome, delayMs: random(SLOW_MS_MAX) };
    },
  });
  return {
    sandbox,
    environment: {
      ...vendorEnvironment(sandbox),
      PURSER_PROVIDER_TIMEOUT_MS: String(TIMEOUT_MS),
      // The machine is busy, so a call can take effect some time after its timeout.
      PURSER_VENDOR_SETTLE_MS: "1500",
      PURSER_WORKFLOW_LEASE_MS: "2000",
      // Calls do not wait long, so that a project has several operations at the same time.
      PURSER_SYNC_WAIT_MS: "1500",
    },
    calls: () => calls,
    taken,
    calm: () => {
      isCalm = true;
    },
    countInvalidRequests: () => countInvalidRequests(sandbox, Object.keys(DISTURBED)),
    close: () => sandbox.close(),
  };
}

function aboutOf({ headers, target, body }: VendorRequest): string {
  const named = /(cus|res)_\w+|svc-[\w-]+/.exec(target)?.[0];
  const project = /proj_\w+|svc-[\w-]+/.exec(JSON.stringify(body ?? null))?.[0];
  return named ?? project ?? headers.authorization?.replace(/^Bearer /, "") ?? "";
}
