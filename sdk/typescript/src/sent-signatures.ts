const RETENTION_SECONDS = 65;

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
