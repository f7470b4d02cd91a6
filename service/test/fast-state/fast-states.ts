import { randomBytes, randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { createMemoryFastState } from "../../src/adapters/fast-state/memory-fast-state.ts";
import { createRedisFastState } from "../../src/adapters/fast-state/redis-fast-state.ts";
import type { AdmissionRequest, FastState } from "../../src/ports/fast-state.ts";

export const START_MS = Date.UTC(2026, 0, 1);
export const BUCKET = { capacity: 3, refillPerSecond: 2 };

/** Returns a clock that is ten seconds later at each call, so that any Redis server is in use for long. */
export function quickClock(): () => number {
  let nowMs = 0;
  return () => {
    nowMs += 10_000;
    return nowMs;
  };
}

export function newKeyHash(): string {
  return randomBytes(32).toString("hex");
}

export function closeAfterTest(state: FastState): FastState {
  onTestFinished(() => state.close());
  return state;
}

/** Opens an in-memory FastState that is closed when the test ends. */
export async function openMemoryFastState(claimsFile?: string): Promise<FastState> {
  return closeAfterTest(await createMemoryFastState(claimsFile === undefined ? {} : { claimsFile }));
}

/** Opens a FastState in Redis that is closed when the test ends. */
export async function openRedisFastState(
  url: string,
  keyPrefix = `${randomUUID()}:`,
  now = quickClock(),
): Promise<FastState> {
  const state = closeAfterTest(createRedisFastState({ url, keyPrefix, commandTimeoutMs: 1_000, now }));
  await retryUntilSuccess(() => state.ping());
  return state;
}

/** Repeats `call` until it succeeds. Returns how long that took, in milliseconds. */
export async function retryUntilSuccess(call: () => Promise<unknown>, timeoutMs = 5_000): Promise<number> {
  const startedAt = performance.now();
  for (;;) {
    try {
      await call();
      return performance.now() - startedAt;
    } catch (error) {
      if (performance.now() - startedAt > timeoutMs) throw error;
      await wait(10);
    }
  }
}

/**
 * Returns an admission request that is accepted: with a new nonce, a valid signature and, by default, a new API key.
 */
export function request(changes: Partial<AdmissionRequest> = {}): AdmissionRequest {
  return {
    keyHash: newKeyHash(),
    nonce: randomUUID(),
    nonceTtlMs: 31_000,
    signedAtMs: START_MS,
    signatureValid: true,
    bucket: BUCKET,
    candidateEpoch: randomUUID(),
    nowMs: START_MS,
    ...changes,
  };
}

export async function outcomeOf(state: FastState, changes: Partial<AdmissionRequest>): Promise<string> {
  return (await state.admit(request(changes))).outcome;
}
