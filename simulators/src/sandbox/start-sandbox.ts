import { Pool } from "pg";
import { openContractsOnce } from "../contracts/open-contracts.ts";
import { listenOnPort } from "../kit/listen-on-port.ts";
import { createObjectTable, type StoredObject } from "../kit/object-store.ts";
import type { ForcedOutcome } from "../kit/outcome.ts";
import type { LoggedRequest } from "../kit/request-log.ts";
import { type RunningVendor, startVendor } from "../kit/start-vendor.ts";
import type { VendorSimulator } from "../kit/vendor-simulator.ts";
import { buildControlServer } from "./control-server.ts";
import { forceOutcome, vendorNamed } from "./known-names.ts";
import {
  SANDBOX_VENDORS,
  type SandboxVendor,
  type SandboxVendorName,
  type SandboxVendors,
  type VendorAccess,
  type VendorOptions,
} from "./vendors.ts";

export interface SandboxOptions extends VendorOptions {
  /** The simulators' own database. What is in it outlives the sandbox, as what a vendor holds would. */
  readonly databaseUrl: string;
  /** A loopback address: the vendors hand out databases to whoever asks. */
  readonly host: "127.0.0.1";
  /** A free one if it is absent, 0 or taken. */
  readonly controlPort?: number;
  /** As `controlPort`. */
  readonly ports?: Partial<Record<SandboxVendorName, number>>;
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

export interface Sandbox extends SandboxVendors {
  /** The control page and its API, `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** The environment variables of a service that calls these vendors, in live mode and test mode alike. */
  readonly environment: Readonly<Record<string, string>>;
  /** Where each vendor listens. */
  readonly ports: Readonly<Record<string, number>>;
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
    const vendors: RunningVendor[] = [];
    const reached: Record<string, VendorAccess> = {};
    const table: Readonly<Record<string, SandboxVendor>> = SANDBOX_VENDORS;
    for (const [name, { simulator, access, usesServiceClock }] of Object.entries(table)) {
      const clock = usesServiceClock ? options.serviceClock : undefined;
      const vendor = await start(simulator(options), clock);
      vendors.push(vendor);
      reached[name] = await access(vendor, options);
    }
    const server = buildControlServer(vendors);
    parts.push({ close: () => server.close() });
    return {
      url: await listenOnPort(server, { host: options.host, port: options.controlPort ?? 0 }),
      // A loop cannot tell that each name has the type of its own entry.
      ...(reached as SandboxVendors),
      environment: Object.assign(
        {},
        ...Object.values(reached).map(({ environment }) => environment),
      ),
      ports: Object.fromEntries(
        vendors.map(({ simulator, url }) => [simulator.vendor, Number(new URL(url).port)]),
      ),
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
