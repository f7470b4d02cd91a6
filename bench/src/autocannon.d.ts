/** Types for the part of autocannon that the benchmarks use. The autocannon package contains no types. */
declare module "autocannon" {
  interface Request {
    readonly method?: string;
    readonly path?: string;
    readonly body?: string;
    readonly headers?: Readonly<Record<string, string>>;
  }

  interface Options {
    readonly url: string | readonly string[];
    readonly connections: number;
    /** In seconds. autocannon checks the elapsed time once per second, so `Result.duration` can be longer. */
    readonly duration: number;
    /** autocannon calls `setupRequest` to build each request. */
    readonly requests: readonly { setupRequest(request: Request): Request }[] | undefined;
  }

  interface Result {
    readonly requests: { readonly total: number };
    readonly latency: { readonly p50: number; readonly p99: number };
    /** In seconds. */
    readonly duration: number;
    readonly errors: number;
    readonly non2xx: number;
    readonly statusCodeStats: Readonly<Record<string, { readonly count: number } | undefined>>;
  }

  function autocannon(options: Options): Promise<autocannon.Result>;
  namespace autocannon {
    export type { Result };
  }
  export = autocannon;
}
