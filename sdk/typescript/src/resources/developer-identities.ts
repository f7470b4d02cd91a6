import type { ApiPromise } from "../api-promise.ts";
import type { Identity, LoginProofRequest } from "../api-types.ts";
import { path } from "../path.ts";
import type { RequestOptions, Transport } from "../transport.ts";

/** The developer's accounts at identity providers, with which the developer can log in. */
export class DeveloperIdentities {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  list(options?: RequestOptions): ApiPromise<{ readonly data: readonly Identity[] }> {
    const call = { method: "GET", path: "/developers/dashboard/identities" } as const;
    return this.#transport.request({ ...call, access: "dashboard" }, options);
  }

  /**
   * Unlinks an identity, which can then no longer be used to log in.
   *
   * @throws ConflictError if it is the developer's only way to log in.
   */
  unlink(provider: Identity["provider"], proof: LoginProofRequest = {}, options?: RequestOptions): ApiPromise<void> {
    const route = path`/developers/dashboard/identities/${provider}`;
    const call = { method: "DELETE", path: route, access: "dashboard", body: proof } as const;
    return this.#transport.request(call, options);
  }
}
