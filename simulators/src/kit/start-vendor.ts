import type { Pool } from "pg";
import type { VendorContract } from "../contracts/vendor-contract.ts";
import { buildVendorServer } from "./build-vendor-server.ts";
import { createForcedOutcomes, type ForcedOutcomes } from "./forced-outcomes.ts";
import { listenOnPort } from "./listen-on-port.ts";
import { openObjectStore } from "./object-store.ts";
import type { ChooseOutcome } from "./outcome.ts";
import { createRequestLog, type RequestLog } from "./request-log.ts";
import type { VendorContext, VendorSimulator } from "./vendor-simulator.ts";

interface StartOptions {
  /** A pool for the simulators' database. `createObjectTable` must have been called for it. */
  readonly pool: Pool;
  readonly host: "127.0.0.1";
  /** The preferred port. If it is 0 or taken, a free port is used. */
  readonly port: number;
  now(): Date;
  /** Null if requests and responses are not checked. */
  readonly contract: VendorContract | null;
  /** Default: every call has the outcome `ok`. */
  readonly chooseOutcome?: ChooseOutcome | undefined;
}

const chooseOk: ChooseOutcome = () => ({ outcome: "ok", delayMs: 0 });

export interface RunningVendor {
  readonly simulator: VendorSimulator;
  /** `http://127.0.0.1:PORT`. */
  readonly url: string;
  readonly context: VendorContext;
  readonly requests: RequestLog;
  readonly outcomes: ForcedOutcomes;
  /** Closes all connections, including those that wait for a response. */
  close(): Promise<void>;
}

/** Starts a simulator's HTTP server. */
export async function startVendor(
  simulator: VendorSimulator,
  { pool, host, port, contract, now, chooseOutcome = chooseOk }: StartOptions,
): Promise<RunningVendor> {
  let url = "";
  const context: VendorContext = {
    objects: openObjectStore({ pool, vendor: simulator.vendor, now }),
    now,
    get baseUrl() {
      return url;
    },
  };
  await simulator.prepare?.(context);
  const outcomes = createForcedOutcomes();
  const requests = createRequestLog();
  const server = buildVendorServer({ simulator, context, outcomes, chooseOutcome, contract }, requests);
  url = await listenOnPort(server, { host, port });
  const close = async () => {
    await server.close();
    simulator.close?.();
  };
  return { simulator, url, context, requests, outcomes, close };
}
