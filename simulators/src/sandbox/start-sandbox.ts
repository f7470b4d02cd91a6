import type { FastifyInstance } from "fastify";
import { Pool } from "pg";
import { openContractsOnce } from "../contracts/open-contracts.ts";
import { listenOnPort } from "../kit/listen-on-port.ts";
import { createObjectTable, type StoredObject } from "../kit/object-store.ts";
import type { ChooseOutcome, ForcedOutcome } from "../kit/outcome.ts";
import type { LoggedRequest } from "../kit/request-log.ts";
import { type RunningVendor, startVendor } from "../kit/start-vendor.ts";
import type { VendorSimulator } from "../kit/vendor-simulator.ts";
import { forceOutcome, getVendor } from "./commands.ts";
import { buildControlServer } from "./control-server.ts";
import {
  SANDBOX_VENDORS,
  type SandboxVendor,
  type SandboxVendorName,
  type SandboxVendors,
  type VendorAccess,
  type VendorOptions,
} from "./vendors.ts";

export interface SandboxOptions extends VendorOptions {
  /** The simulators' database. Vendors' objects are stored in it and survive a restart. */
  readonly databaseUrl: string;
  /** A loopback address, because any client that can connect can create databases. */
  readonly host: "127.0.0.1";
  /** The preferred port. If it is undefined, 0 or taken, a free port is used. */
  readonly controlPort?: number;
  /** The vendors' preferred ports, with the same rules as `controlPort`. */
  readonly ports?: Partial<Record<SandboxVendorName, number>>;
  /**
   * The directory of the vendors' OpenAPI descriptions. If undefined, `openContracts` uses its default. If null, calls
   * are not checked.
   */
  readonly contractsDir?: string | null;
  readonly clock?: Clock;
  /**
   * The Purser server's clock. Vendors with `usesServiceClock` use this clock too, so that Purser and these vendors
   * agree on when signatures, codes and ID tokens expire. Default: `clock`.
   */
  readonly serviceClock?: Clock;
  /** Chooses the outcomes of calls at random, for example. Default: every call has the outcome `ok`. */
  readonly chooseOutcome?: ChooseOutcome;
  /** Adds pages to the server of the control page. */
  readonly addPages?: (server: FastifyInstance) => void;
}

interface Clock {
  now(): Date;
}

export interface Sandbox extends SandboxVendors {
  /** The URL of the control page and its API, `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** Environment variables that make a Purser server call these simulators, in live and test mode. */
  readonly environment: Readonly<Record<string, string>>;
  readonly ports: Readonly<Record<string, number>>;
  /**
   * Forces an outcome for an operation's next calls. Throws UnknownNameError if the vendor or the operation is unknown.
   */
  force(forced: ForcedOutcome & { readonly vendor: string }): void;
  /** Returns all of a vendor's objects, oldest first. */
  objects(vendor: string): Promise<readonly StoredObject[]>;
  /** Returns the newest 500 requests to a vendor, oldest first. */
  requests(vendor: string): readonly LoggedRequest[];
  /** Closes all listeners and connections, including connections that wait for a response. */
  close(): Promise<void>;
}

/** Starts the simulated vendors, each on a separate loopback port, and the control page. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const parts: { close(): Promise<void> }[] = [];
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= closeInReverse(parts);
    return closed;
  };
  try {
    const start = await vendorStarter(options, parts);
    const vendors: RunningVendor[] = [];
    const accesses: Record<string, VendorAccess> = {};
    const table: Readonly<Record<string, SandboxVendor>> = SANDBOX_VENDORS;
    for (const [name, { simulator, access, usesServiceClock }] of Object.entries(table)) {
      const clock = usesServiceClock ? options.serviceClock : undefined;
      const vendor = await start(simulator(options), clock);
      vendors.push(vendor);
      accesses[name] = await access(vendor, options);
    }
    const server = buildControlServer(vendors);
    options.addPages?.(server);
    parts.push({ close: () => server.close() });
    return {
      url: await listenOnPort(server, { host: options.host, port: options.controlPort ?? 0 }),
      // The loop adds an entry for every vendor, but TypeScript does not track the type of each entry.
      ...(accesses as SandboxVendors),
      environment: Object.assign({}, ...Object.values(accesses).map(({ environment }) => environment), {
        PURSER_AGENTIC_PROVIDERS: JSON.stringify(
          Object.values(accesses).flatMap(({ agenticProvider = [] }) => agenticProvider),
        ),
      }),
      ports: Object.fromEntries(vendors.map(({ simulator, url }) => [simulator.vendor, Number(new URL(url).port)])),
      force: (forced) => forceOutcome(vendors, forced),
      objects: async (vendor) => getVendor(vendors, vendor).context.objects.listAll(),
      requests: (vendor) => getVendor(vendors, vendor).requests.list(),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Starts a simulator with the given clock. The default is the sandbox's clock. */
type StartVendor = (simulator: VendorSimulator, clock?: Clock) => Promise<RunningVendor>;

/**
 * Opens the resources that all vendors share, and returns a function that starts a vendor. The database pool and the
 * started vendors are added to `parts`, which the caller must close.
 */
async function vendorStarter(options: SandboxOptions, parts: { close(): Promise<void> }[]): Promise<StartVendor> {
  const sandboxClock = options.clock ?? { now: () => new Date() };
  const pool = new Pool({
    connectionString: options.databaseUrl,
    max: 4,
    connectionTimeoutMillis: 5_000,
  });
  // The pool removes a broken idle connection itself. Without a listener, the error event would end the process.
  pool.on("error", () => {});
  parts.push({ close: () => pool.end() });
  await createObjectTable(pool);
  const contracts = options.contractsDir === null ? null : await openContractsOnce(options.contractsDir);
  const ports: Readonly<Record<string, number>> = options.ports ?? {};

  return async (simulator, clock = sandboxClock) => {
    const vendor = await startVendor(simulator, {
      pool,
      host: options.host,
      port: ports[simulator.vendor] ?? 0,
      now: () => clock.now(),
      contract: (await contracts?.contractOf(simulator)) ?? null,
      chooseOutcome: options.chooseOutcome,
    });
    parts.push(vendor);
    return vendor;
  };
}

async function closeInReverse(parts: readonly { close(): Promise<void> }[]): Promise<void> {
  for (const part of parts.toReversed()) await part.close();
}
