import { callProvider, type KitAnswer, type KitCall } from "./kit-client.ts";

export interface KitOptions {
  /** The URL below which the provider serves the protocol, without a trailing slash. */
  readonly baseUrl: string;
  readonly clientId: string;
  /** Sent with paid plans. Undefined if the provider bills its users itself. */
  readonly paymentToken?: string | undefined;
  /** Gives consent on the provider's page as a user. Returns the URL that the page redirects to. */
  readonly consent: (url: string) => Promise<string>;
}

/** One check. `problem` is null if the provider passed. A check that the provider does not need is `skipped`. */
export interface KitResult {
  readonly check: string;
  readonly outcome: "passed" | "failed" | "skipped";
  readonly detail: string | null;
}

export interface Kit {
  readonly options: KitOptions;
  readonly results: KitResult[];
  call(method: "GET" | "POST", path: string, call?: KitCall): Promise<KitAnswer>;
  /** Runs a check. It fails with each message that `work` returns, or with the message of the error that it throws. */
  check<Result>(name: string, work: (problem: (text: string) => void) => Promise<Result>): Promise<Result | undefined>;
  skip(name: string, why: string): void;
}

export function openKit(options: KitOptions): Kit {
  const results: KitResult[] = [];
  return {
    options,
    results,
    call: (method, path, call) => callProvider(options.baseUrl, method, path, call),
    check: async (check, work) => {
      const problems: string[] = [];
      const result = await work((text) => problems.push(text)).catch((error: unknown) => {
        problems.push(error instanceof Error ? error.message : String(error));
        return undefined;
      });
      const passed = { check, outcome: "passed" as const, detail: null };
      const failed = problems.map((detail) => ({ check, outcome: "failed" as const, detail }));
      results.push(...(failed.length === 0 ? [passed] : failed));
      return result;
    },
    skip: (check, detail) => results.push({ check, outcome: "skipped", detail }),
  };
}
