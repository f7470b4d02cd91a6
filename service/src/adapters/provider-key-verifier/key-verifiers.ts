import type { Clock } from "../../foundation/clock.ts";
import { KEYED_PROVIDERS, type KeyedProvider, type Mode } from "../../foundation/vocabulary.ts";
import type { ProviderKeyVerifier } from "../../ports/provider-key-verifier.ts";
import { createBridgeKeyVerifier } from "./bridge-key-verifier.ts";
import { createFireblocksKeyVerifier } from "./fireblocks-key-verifier.ts";
import { createHeliusKeyVerifier } from "./helius-key-verifier.ts";
import { createPimlicoKeyVerifier } from "./pimlico-key-verifier.ts";
import { createTurnkeyKeyVerifier } from "./turnkey-key-verifier.ts";

interface KeyVerifiersOptions {
  /** Each vendor's API URL for each mode: scheme and host, no trailing slash. */
  readonly apiUrls: Readonly<Record<KeyedProvider, Readonly<Record<Mode, string>>>>;
  readonly clock: Clock;
  /** Timeout for one check in milliseconds. Default: 5,000. */
  readonly timeoutMs?: number;
}

const FACTORIES = {
  pimlico: createPimlicoKeyVerifier,
  turnkey: createTurnkeyKeyVerifier,
  fireblocks: createFireblocksKeyVerifier,
  bridge: createBridgeKeyVerifier,
  helius: createHeliusKeyVerifier,
} as const satisfies Record<KeyedProvider, unknown>;

/** Creates a verifier for each vendor whose keys developers can save. */
export function createKeyVerifiers({
  apiUrls,
  clock,
  timeoutMs = 5_000,
}: KeyVerifiersOptions): ReadonlyMap<KeyedProvider, ProviderKeyVerifier> {
  return new Map(
    KEYED_PROVIDERS.map((provider) => [provider, FACTORIES[provider]({ apiUrl: apiUrls[provider], timeoutMs, clock })]),
  );
}
