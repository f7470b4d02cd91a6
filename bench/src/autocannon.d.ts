/** The part of autocannon that the benchmarks use. The package has no types. */
declare module "autocannon" {
  interface Request {
    readonly method?: string;
    readonly path?: string;
    readonly headers?: Readonly<Record<string, string>>;
  }

  interface Options {
    readonly url: string;
    readonly connections: number;
    /** Seconds. The load ends at the first sample after this time. `Result.duration` is the actual time. */
    readonly duration: number;
    /** `setupRequest` builds each request that is sent. */
    readonly requests: readonly { setupRequest(request: Request): Request }[] | undefined;
  }

  interface Result {
    readonly requests: { readonly total: number };
    readonly latency: { readonly p99: number };
    /** Seconds. */
    readonly duration: number;
    readonly errors: number;
    readonly non2xx: number;
  }

  function autocannon(options: Options): Promise<autocannon.Result>;
  namespace autocannon {
    export type { Result };
  }
  export = autocannon;
}
