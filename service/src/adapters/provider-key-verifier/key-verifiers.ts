import type { Clock } from "../../foundation/clock.ts";
import type { KeyedProvider, Mode } from "../../foundation/vocabulary.ts";
import type { ProviderKeyVerifier } from "../../ports/provider-key-verifier.ts";
import { createBridgeKeyVerifier } from "./bridge-key-verifier.ts";
import { createFireblocksKeyVerifier } from "./fireblocks-key-verifier.ts";
import { createHeliusKeyVerifier } from "./helius-key-verifier.ts";
import { createPimlicoKeyVerifier } from "./pimlico-key-verifier.ts";
import { createTurnkeyKeyVerifier } from "./turnkey-key-verifier.ts";

interface KeyVerifiersOptions {
  /** Where each vendor's keys of a mode are tried: scheme and host, no trailing slash. */
  readonly apiUrls: Readonly<Record<KeyedProvider, Readonly<Record<Mode, string>>>>;
  readonly clock: Clock;
  /** Of one check. 5,000 where absent. */
  readonly timeoutMs?: number;
}

/** One verifier for every provider whose keys the vault keeps. */
export function createKeyVerifiers({
  apiUrls,
  clock,
  timeoutMs = 5_000,
}: KeyVerifiersOptions): ReadonlyMap<KeyedProvider, ProviderKeyVerifier> {
  const at = (provider: KeyedProvider) => ({ apiUrl: apiUrls[provider], timeoutMs });
  const verifiers = [
    createPimlicoKeyVerifier(at("pimlico")),
    createTurnkeyKeyVerifier(at("turnkey")),
    createFireblocksKeyVerifier({ ...at("fireblocks"), clock }),
    createBridgeKeyVerifier(at("bridge")),
    createHeliusKeyVerifier(at("helius")),
  ];
  return new Map(verifiers.map((verifier) => [verifier.provider, verifier]));
}
