import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { sendOnce } from "../../signed-client.ts";
import { pick, random } from "../random.ts";

/** Signatures are refused when they are older than 30 seconds. */
const REPLAYED_FOR_MS = 35_000;
/** What was answered so shortly before the loss of the Redis master is replayed more often than the rest. */
const BEFORE_LOSS_MS = 1_000;
const PAUSE_MS = 20;
const CAPTURED: readonly RegExp[] = [/^POST .*\/payments\//, /^GET .*\/env$/];

interface Captured {
  readonly name: string;
  readonly url: string;
  readonly init: RequestInit;
  readonly atMs: number;
}

/** Captures signed requests for money and secrets that were answered with success, and sends them again. */
export class Replays {
  /** The number of replays by request and status. */
  readonly counts: Record<string, number> = {};
  /** The replays that were answered with success. */
  readonly failures: string[] = [];
  captured = 0;
  #recent: Captured[] = [];
  #lostAtMs = Number.NEGATIVE_INFINITY;

  /** For the SDK: sends a request, and captures it if it succeeds. */
  readonly fetch: typeof fetch = async (input, init = {}) => {
    const response = await fetch(input, init);
    const url = String(input);
    const name = `${init.method} ${new URL(url).pathname}`;
    if (response.ok && CAPTURED.some((pattern) => pattern.test(name))) {
      const { method, headers, body } = init;
      this.captured += 1;
      const sent = { method: method ?? "GET", headers: new Headers(headers), body: body ?? null };
      this.#recent.push({ name: method === "GET" ? "env pull" : "payment", url, init: sent, atMs: performance.now() });
    }
    return response;
  };

  noteLoss(): void {
    this.#lostAtMs = performance.now();
  }

  /** Sends captured requests again, until the signal is aborted. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#recent = this.#recent.filter(({ atMs }) => atMs > performance.now() - REPLAYED_FOR_MS);
      const beforeLoss = this.#recent.filter(
        ({ atMs }) => atMs < this.#lostAtMs && atMs > this.#lostAtMs - BEFORE_LOSS_MS,
      );
      const candidates = beforeLoss.length > 0 && random(2) === 0 ? beforeLoss : this.#recent;
      if (candidates.length > 0) await this.#replay(pick(candidates, random(candidates.length)));
      await wait(PAUSE_MS);
    }
  }

  /** Sends the request unchanged, or with another nonce and Idempotency-Key, which its signature does not cover. */
  async #replay({ name, url, init, atMs }: Captured): Promise<void> {
    const headers = new Headers(init.headers);
    const form = random(2) === 0 ? "unchanged" : "changed";
    if (form === "changed") {
      headers.set("x-nonce", randomUUID());
      if (headers.has("idempotency-key")) headers.set("idempotency-key", randomUUID());
    }
    const response = await sendOnce(url, { ...init, headers }).catch(() => undefined);
    const status = response?.status ?? "no answer";
    const count = `${name} ${form} ${status}`;
    this.counts[count] = (this.counts[count] ?? 0) + 1;
    if (response?.status === 200) {
      this.failures.push(`replay after ${Math.round(performance.now() - atMs)} ms: ${count}`);
    }
  }
}
