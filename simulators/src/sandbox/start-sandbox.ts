import { Pool } from "pg";
import { openContractsOnce } from "../contracts/open-contracts.ts";
import { listenOnPort } from "../kit/listen-on-port.ts";
import { createObjectTable, type StoredObject } from "../kit/object-store.ts";
import type { ForcedOutcome } from "../kit/outcome.ts";
import type { LoggedRequest } from "../kit/request-log.ts";
import { type RunningVendor, startVendor } from "../kit/start-vendor.ts";
import type { VendorSimulator } from "../kit/vendor-simulator.ts";
import { neonSimulator } from "../neon/neon-simulator.ts";
import { stripeSimulator } from "../stripe/stripe-simulator.ts";
import { supabaseSimulator } from "../supabase/supabase-simulator.ts";
import { type CaptchaVendors, startCaptchaVendors } from "./captcha-vendors.ts";
import { buildControlServer } from "./control-server.ts";
import { type KeyVendors, startKeyVendors } from "./key-vendors.ts";
import { forceOutcome, vendorNamed } from "./known-names.ts";
import { type LoginVendors, startLoginVendors } from "./login-vendors.ts";

// They open nothing but the simulators of this machine, and stay the same so that a restart knows its accounts again.
const OAUTH_APP = {
  clientId: "5a9d0c1e-7b1f-4c58-9d6b-0f3a6c2e8b41",
  clientSecret: "sandbox-client-secret",
};
const STRIPE_KEYS = { live: "sk_live_sandbox", test: "sk_test_sandbox" };
const SUPABASE_READY_AFTER_MS = 3_000;

type VendorName =
  | "neon"
  | "supabase"
  | "stripe"
  | keyof LoginVendors
  | keyof KeyVendors
  | keyof CaptchaVendors;

export interface SandboxOptions {
  /** The simulators' own database. What is in it outlives the sandbox, as what a vendor holds would. */
  readonly databaseUrl: string;
  /** A Postgres role that may create roles and databases: Neon's projects are real databases of its server. */
  readonly neonAdminUrl: string;
  /** A loopback address: the vendors hand out databases to whoever asks. */
  readonly host: "127.0.0.1";
  /** A free one if it is absent, 0 or taken. */
  readonly controlPort?: number;
  /** As `controlPort`. */
  readonly ports?: Partial<Record<VendorName, number>>;
  /** Where the OAuth app that is registered with Supabase may have people sent back to. */
  readonly redirectUris: readonly string[];
  /** Where the apps that are registered with GitHub and Google may. Nowhere, where absent. */
  readonly loginRedirectUris?: readonly string[];
  /** How long a Supabase project takes to come up. 3,000 where absent. */
  readonly supabaseReadyAfterMs?: number;
  /**
   * The directory of the vendors' descriptions. Undefined: the one that `VENDOR_CONTRACTS_DIR` names, or the one beside
   * the project, where there is one. Null: nothing is held against a description.
   */
  readonly contractsDir?: string | null;
  readonly clock?: Clock;
  /** The service's own clock, where it is another: by which its signatures, codes and ID tokens end. `clock` where absent. */
  readonly serviceClock?: Clock;
}

interface Clock {
  now(): Date;
}

export interface Sandbox extends LoginVendors, KeyVendors, CaptchaVendors {
  /** The control page and its API, `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** With the API's prefix, `…/api/v2`. */
  readonly neon: {
    readonly url: string;
    /** One of the many that it takes. */
    readonly exampleToken: string;
  };
  readonly supabase: {
    readonly url: string;
    readonly clientId: string;
    readonly clientSecret: string;
  };
  readonly stripe: {
    readonly url: string;
    readonly secretKeys: { readonly live: string; readonly test: string };
  };
  /** Throws where the vendor or its operation is not known. */
  force(forced: ForcedOutcome & { readonly vendor: string }): void;
  /** Everything the vendor holds, oldest first. */
  objects(vendor: string): Promise<readonly StoredObject[]>;
  /** The newest 500, oldest first. */
  requests(vendor: string): readonly LoggedRequest[];
  /** Cuts off whoever still waits for an answer, and lets go of the ports and the database. */
  close(): Promise<void>;
}

/**
 * The vendors of the local profile, played on loopback: each on a port of its own, speaking its own wire format, beside a
 * page that shows what they were asked and makes their next calls go wrong.
 */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const parts: { close(): Promise<void> }[] = [];
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= closeInReverse(parts);
    return closed;
  };
  try {
    const start = await vendorStarter(options, parts);
    const neon = await start(neonSimulator({ adminUrl: options.neonAdminUrl }));
    const supabase = await start(
      supabaseSimulator({
        ...OAUTH_APP,
        redirectUris: options.redirectUris,
        readyAfterMs: options.supabaseReadyAfterMs ?? SUPABASE_READY_AFTER_MS,
      }),
    );
    const stripe = await start(stripeSimulator({ secretKeys: STRIPE_KEYS }));
    const startForService = (simulator: VendorSimulator) => start(simulator, options.serviceClock);
    const login = await startLoginVendors(startForService, options.loginRedirectUris ?? []);
    const { running, keyVendors } = await startKeyVendors(startForService);
    const captcha = await startCaptchaVendors(start);
    const vendors = [neon, supabase, stripe, ...login.running, ...running, ...captcha.running];
    const server = buildControlServer(vendors);
    parts.push({ close: () => server.close() });
    return {
      url: await listenOnPort(server, { host: options.host, port: options.controlPort ?? 0 }),
      neon: { url: `${neon.url}/api/v2`, exampleToken: "sandbox-ada" },
      supabase: { url: supabase.url, ...OAUTH_APP },
      stripe: { url: stripe.url, secretKeys: STRIPE_KEYS },
      ...login.loginVendors,
      ...keyVendors,
      ...captcha.captchaVendors,
      force: (forced) => forceOutcome(vendors, forced),
      objects: async (vendor) => vendorNamed(vendors, vendor).context.objects.listAll(),
      requests: (vendor) => vendorNamed(vendors, vendor).requests.list(),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** By the clock of the sandbox, unless the vendor has one of its own. */
type StartVendor = (simulator: VendorSimulator, clock?: Clock) => Promise<RunningVendor>;

/** Opens what all vendors share, and notes in `parts` whatever is to be closed. */
async function vendorStarter(
  options: SandboxOptions,
  parts: { close(): Promise<void> }[],
): Promise<StartVendor> {
  const sandboxClock = options.clock ?? { now: () => new Date() };
  const pool = new Pool({
    connectionString: options.databaseUrl,
    max: 4,
    connectionTimeoutMillis: 5_000,
  });
  // A connection that dies while idle leaves the pool by itself. Without a listener the event would end the process.
  pool.on("error", () => {});
  parts.push({ close: () => pool.end() });
  await createObjectTable(pool);
  const contracts =
    options.contractsDir === null ? null : await openContractsOnce(options.contractsDir);
  const ports: Readonly<Record<string, number>> = options.ports ?? {};

  return async (simulator, clock = sandboxClock) => {
    const vendor = await startVendor(simulator, {
      pool,
      host: options.host,
      port: ports[simulator.vendor] ?? 0,
      now: () => clock.now(),
      contract: (await contracts?.contractOf(simulator)) ?? null,
    });
    parts.push(vendor);
    return vendor;
  };
}

async function closeInReverse(parts: readonly { close(): Promise<void> }[]): Promise<void> {
  for (const part of parts.toReversed()) await part.close();
}
