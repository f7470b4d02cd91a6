const MEMORY_SECONDS = 65;

interface Sent {
  readonly idempotencyKey: string | undefined;
  readonly forgetAtSeconds: number;
}

/**
 * The signatures of the last 65 seconds. The service remembers them too, and takes an equal one as a replay
 * unless it comes with the Idempotency-Key that it came with first.
 */
export class SentSignatures {
  readonly #sent = new Map<string, Sent>();

  wouldBeReplay(
    signature: string,
    idempotencyKey: string | undefined,
    nowSeconds: number,
  ): boolean {
    this.#forgetOld(nowSeconds);
    const sent = this.#sent.get(signature);
    if (sent === undefined) return false;
    return idempotencyKey === undefined || idempotencyKey !== sent.idempotencyKey;
  }

  remember(signature: string, idempotencyKey: string | undefined, nowSeconds: number): void {
    this.#sent.set(signature, { idempotencyKey, forgetAtSeconds: nowSeconds + MEMORY_SECONDS });
  }

  /** A map keeps the order of insertion, so the oldest are in front. */
  #forgetOld(nowSeconds: number): void {
    for (const [signature, { forgetAtSeconds }] of this.#sent) {
      if (forgetAtSeconds > nowSeconds) return;
      this.#sent.delete(signature);
    }
  }
}
