/** A successful response with its data and metadata. */
export interface ApiResponse<Data> {
  readonly data: Data;
  readonly status: number;
  readonly headers: Headers;
  /** The `X-Request-Id` header. Include it when you report a problem. */
  readonly requestId: string | undefined;
  /** The Idempotency-Key that every attempt of this call sent. Undefined for GET, PUT and DELETE. */
  readonly idempotencyKey: string | undefined;
  /** Whether this is the stored response to an earlier call with the same Idempotency-Key. */
  readonly isReplay: boolean;
}

/**
 * A promise of the response's data. `withResponse()` returns a promise of the whole response. It does not call the API
 * again.
 */
export class ApiPromise<Data> extends Promise<Data> {
  readonly #response: Promise<ApiResponse<Data>>;

  /** Makes `then`, `catch` and `finally` return a plain Promise. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  constructor(response: Promise<ApiResponse<Data>>) {
    // The base promise never settles, and nothing waits for it. `await`, `catch` and `finally` call `then`, which is
    // overridden below.
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
