/** An answer with what its headers tell. */
export interface ApiAnswer<Data> {
  readonly data: Data;
  readonly status: number;
  readonly headers: Headers;
  /** `X-Request-Id`: what to name when you ask about a call. */
  readonly requestId: string | undefined;
  /** The key of all attempts of this call; undefined for calls that carry none. */
  readonly idempotencyKey: string | undefined;
  /** Whether this is the stored answer of an earlier call with the same key. */
  readonly isReplay: boolean;
}

/** A promise of the data, which `withResponse()` turns into one of the whole answer. The call is made once. */
export class ApiPromise<Data> extends Promise<Data> {
  readonly #answer: Promise<ApiAnswer<Data>>;

  /** What is chained to this promise is an ordinary one. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  constructor(answer: Promise<ApiAnswer<Data>>) {
    // The promise below is never looked at: every way to read a promise goes through `then`.
    super(() => undefined);
    this.#answer = answer;
  }

  withResponse(): Promise<ApiAnswer<Data>> {
    return this.#answer;
  }

  // biome-ignore lint/suspicious/noThenProperty: a subclass of Promise has to answer `then` itself.
  override then<Fulfilled = Data, Rejected = never>(
    onFulfilled?: ((data: Data) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.#answer.then(({ data }) => data).then(onFulfilled, onRejected);
  }
}
