import { PurserError } from "./errors.ts";
import { SentSignatures } from "./sent-signatures.ts";
import type { Clock, Sleep } from "./settings.ts";
import { type RequestParts, signRequest } from "./signing.ts";

const SHIFT_MAX_SECONDS = 10;
const WAITS_MAX = 30;

interface RequestToSign extends Omit<RequestParts, "timestamp"> {
  readonly idempotencyKey: string | undefined;
  readonly signal: AbortSignal | undefined;
}

export interface Signed {
  readonly timestamp: string;
  readonly signature: string;
}

/**
 * Signs requests for now, or for one of the next seconds where now's signature is out already: the nonce is
 * not signed, so two equal requests of one second have one signature, and the service would take the second
 * as a replay of the first.
 */
export class RequestSigner {
  readonly #clock: Clock;
  readonly #sleep: Sleep;
  readonly #sent = new SentSignatures();

  constructor(clock: Clock, sleep: Sleep) {
    this.#clock = clock;
    this.#sleep = sleep;
  }

  /** @throws PurserError where so many equal requests are under way that waiting does not help. */
  async sign(request: RequestToSign, signingKey: string): Promise<Signed> {
    for (let waits = 0; waits <= WAITS_MAX; waits += 1) {
      const signed = this.#signOnce(request, signingKey);
      if (signed) return signed;
      await this.#sleep(1000, request.signal);
    }
    throw new PurserError("Too many equal requests are under way. Send fewer of them a second.");
  }

  #signOnce({ idempotencyKey, ...parts }: RequestToSign, key: string): Signed | undefined {
    const nowSeconds = Math.floor(this.#clock.now().getTime() / 1000);
    for (let shift = 0; shift <= SHIFT_MAX_SECONDS; shift += 1) {
      const timestamp = String(nowSeconds + shift);
      const signature = signRequest(key, { ...parts, timestamp });
      if (isPlainRead(parts)) return { timestamp, signature };
      if (!this.#sent.wouldBeReplay(signature, idempotencyKey, nowSeconds)) {
        this.#sent.remember(signature, idempotencyKey, nowSeconds);
        return { timestamp, signature };
      }
    }
    return undefined;
  }
}

/** Reads may come twice in a second, but for the one that carries secrets. */
function isPlainRead({ method, path }: Pick<RequestParts, "method" | "path">): boolean {
  return method === "GET" && !/\/env(\?|$)/.test(path);
}
