/** A successful response. */
export interface ApiResponse<Data> {
  readonly data: Data;
  readonly status: number;
  readonly headers: Headers;
  /** The `X-Request-Id` header. Include it when you report a problem. */
  readonly requestId: string | undefined;
  /** The Idempotency-Key that all attempts of this call sent. Undefined for GET, PUT and DELETE. */
  readonly idempotencyKey: string | undefined;
  /** Whether this is the stored response of an earlier call with the same key. */
  readonly isReplay: boolean;
}

/** A promise of the data. `withResponse()` returns a promise of the whole response. Only one call is made. */
export class ApiPromise<Data> extends Promise<Data> {
  readonly #response: Promise<ApiResponse<Data>>;

  /** `then`, `catch` and `finally` return a plain Promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  constructor(response: Promise<ApiResponse<Data>>) {
    // The base promise never settles. `then` is overridden, and every way to read a promise calls it.
    super(() => undefined);
    this.#response = response;
  }

  withResponse(): Promise<ApiResponse<Data>> {
    return this.#response;
  }

  // biome-ignore lint/suspicious/noThenProperty: this subclass of Promise overrides `then`.
  override then<Fulfilled = Data, Rejected = never>(
    onFulfilled?: ((data: Data) => Fulfilled | PromiseLike<Fulfilled>) | null,
    onRejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.#response.then(({ data }) => data).then(onFulfilled, onRejected);
  }
}
