import type { ApiPromise } from "../api-promise.ts";
import type { Identity, LoginProofRequest } from "../api-types.ts";
import { path } from "../path.ts";
import type { RequestOptions, Transport } from "../transport.ts";

/** How the developer logs in besides the password. */
export class DeveloperIdentities {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  list(options?: RequestOptions): ApiPromise<{ readonly data: readonly Identity[] }> {
    const call = { method: "GET", path: "/developers/dashboard/identities" } as const;
    return this.#transport.request({ ...call, access: "dashboard" }, options);
  }

  /** It no longer logs in. For the last way to log in, a `ConflictError`. */
  unlink(
    provider: Identity["provider"],
    proof: LoginProofRequest = {},
    options?: RequestOptions,
  ): ApiPromise<void> {
    const route = path`/developers/dashboard/identities/${provider}`;
    const call = { method: "DELETE", path: route, access: "dashboard", body: proof } as const;
    return this.#transport.request(call, options);
  }
}
