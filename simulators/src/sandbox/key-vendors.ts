import { bridgeSimulator } from "../bridge/bridge-simulator.ts";
import { fireblocksCredentials } from "../fireblocks/api-users.ts";
import { fireblocksSimulator } from "../fireblocks/fireblocks-simulator.ts";
import { heliusSimulator } from "../helius/helius-simulator.ts";
import type { RunningVendor } from "../kit/start-vendor.ts";
import type { VendorSimulator } from "../kit/vendor-simulator.ts";
import { pimlicoSimulator } from "../pimlico/pimlico-simulator.ts";
import { turnkeyCredentials } from "../turnkey/organizations.ts";
import { turnkeySimulator } from "../turnkey/turnkey-simulator.ts";

/** A vendor whose keys developers keep with us. */
export interface KeyVendor {
  /** `http://127.0.0.1:PORT`, without what its paths begin with. */
  readonly url: string;
  /** What `PUT /provider-keys` takes as `credentials`, and the vendor takes too. */
  readonly credentials: Readonly<Record<string, string>>;
  /** The same, refused by the vendor. */
  readonly refusedCredentials: Readonly<Record<string, string>>;
}

export const KEY_VENDORS = ["pimlico", "turnkey", "fireblocks", "bridge", "helius"] as const;
export type KeyVendors = Readonly<Record<(typeof KEY_VENDORS)[number], KeyVendor>>;

/** Starts the five of them. */
export async function startKeyVendors(
  start: (simulator: VendorSimulator) => Promise<RunningVendor>,
): Promise<{ readonly running: readonly RunningVendor[]; readonly keyVendors: KeyVendors }> {
  const pimlico = await start(pimlicoSimulator());
  const turnkey = await start(turnkeySimulator());
  const fireblocks = await start(fireblocksSimulator());
  const bridge = await start(bridgeSimulator());
  const helius = await start(heliusSimulator());
  return {
    running: [pimlico, turnkey, fireblocks, bridge, helius],
    keyVendors: {
      pimlico: { url: pimlico.url, ...PLAIN_KEYS },
      turnkey: { url: turnkey.url, ...turnkeyCredentials() },
      fireblocks: { url: fireblocks.url, ...(await fireblocksCredentials(fireblocks.context)) },
      bridge: { url: bridge.url, ...PLAIN_KEYS },
      helius: { url: helius.url, ...PLAIN_KEYS },
    },
  };
}

const PLAIN_KEYS = {
  credentials: { api_key: "sandbox-acme" },
  refusedCredentials: { api_key: "sandbox-refused" },
};
