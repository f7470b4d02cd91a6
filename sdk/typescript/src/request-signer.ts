import { PurserError } from "./errors.ts";
import type { Clock, Sleep } from "./settings.ts";
import type { RequestKey, SignedRequest } from "./signing.ts";

const RETENTION_SECONDS = 65;
const SHIFT_MAX_SECONDS = 10;
const WAITS_MAX = 30;

interface RequestToSign extends Omit<SignedRequest, "timestamp"> {
  readonly signal: AbortSignal | undefined;
  /** A number in [0, 1) that chooses the first second to try. Default: the current second. */
  readonly spread?: number | undefined;
}

export interface RequestSignature {
  readonly timestamp: string;
  readonly signature: string;
}

/**
 * Signs requests. The timestamp is normally the current second. The nonce is not part of an HMAC signature, so identical
 * requests with the same timestamp have the same signature. If the server would reject the second request as a replay
 * (docs/rules/replay-protection.md), that request gets a later timestamp, up to 10 s ahead. Other clients of the same
 * key can use the same second: after `signature_replayed`, `spread` chooses another one at random.
 */
export class RequestSigner {
  readonly #clock: Clock;
  readonly #sleep: Sleep;
  readonly #sent = new SentSignatures();

  constructor(clock: Clock, sleep: Sleep) {
    this.#clock = clock;
    this.#sleep = sleep;
  }

  /** @throws PurserError if too many identical requests were sent within a few seconds. */
  async sign({ signal, ...request }: RequestToSign, key: RequestKey): Promise<RequestSignature> {
    for (let waits = 0; waits <= WAITS_MAX; waits += 1) {
      const signed = await this.#signOnce(request, key);
      if (signed) return signed;
      await this.#sleep(1000, signal);
    }
    throw new PurserError(
      "Too many identical requests were sent. Send at most one per second, or use an Ed25519 key pair, whose signatures always differ.",
    );
  }

  /** Never sends this signature again. The server has answered `signature_replayed`, so a retry needs a later timestamp. */
  discard(signature: string): void {
    this.#sent.add(signature, undefined, Math.floor(this.#clock.now().getTime() / 1000));
  }

  async #signOnce(
    { spread = 0, ...request }: Omit<RequestToSign, "signal">,
    key: RequestKey,
  ): Promise<RequestSignature | undefined> {
    const firstShift = Math.floor(spread * (SHIFT_MAX_SECONDS + 1));
    const nowSeconds = Math.floor(this.#clock.now().getTime() / 1000);
    for (let count = 0; count <= SHIFT_MAX_SECONDS; count += 1) {
      const timestamp = String(nowSeconds + ((firstShift + count) % (SHIFT_MAX_SECONDS + 1)));
      const signature = await key.sign({ ...request, timestamp });
      if (key.coversNonce || isRepeatableRead(request)) return { timestamp, signature };
      const { idempotencyKey } = request;
      if (!this.#sent.wouldBeReplay(signature, idempotencyKey, nowSeconds)) {
        this.#sent.add(signature, idempotencyKey, nowSeconds);
        return { timestamp, signature };
      }
    }
    return undefined;
  }
}

/**
 * Returns true if the server accepts the same signed request twice. This is the case for all reads except pulls of an
 * env bundle, whose response contains secrets.
 */
function isRepeatableRead({ method, path }: Pick<SignedRequest, "method" | "path">): boolean {
  return method === "GET" && !/\/env(\?|$)/.test(path);
}

interface SentSignature {
  readonly idempotencyKey: string | undefined;
  readonly expiresAtSeconds: number;
}

/**
 * The signatures sent within the last 65 seconds. The server stores them too. It rejects a repeated signature as a
 * replay, unless the request has the same Idempotency-Key as the first one (docs/rules/replay-protection.md).
 */
export class SentSignatures {
  readonly #sent = new Map<string, SentSignature>();

  wouldBeReplay(signature: string, idempotencyKey: string | undefined, nowSeconds: number): boolean {
    this.#deleteExpired(nowSeconds);
    const sent = this.#sent.get(signature);
    if (sent === undefined) return false;
    return idempotencyKey === undefined || idempotencyKey !== sent.idempotencyKey;
  }

  add(signature: string, idempotencyKey: string | undefined, nowSeconds: number): void {
    this.#sent.set(signature, { idempotencyKey, expiresAtSeconds: nowSeconds + RETENTION_SECONDS });
  }

  /** A Map iterates in insertion order, so the oldest signatures are first. */
  #deleteExpired(nowSeconds: number): void {
    for (const [signature, { expiresAtSeconds }] of this.#sent) {
      if (expiresAtSeconds > nowSeconds) return;
      this.#sent.delete(signature);
    }
  }
}
