/** The part of autocannon that the bench uses; the package brings no types. */
declare module "autocannon" {
  interface Request {
    readonly method?: string;
    readonly path?: string;
    readonly headers?: Readonly<Record<string, string>>;
  }

  interface Options {
    readonly url: string;
    readonly connections: number;
    /** Seconds. The load goes on until the sample after them, and `Result.duration` says when that was. */
    readonly duration: number;
    /** A request with `setupRequest` is built anew each time it is sent. */
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
