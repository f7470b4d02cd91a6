import type { ApiPromise } from "../api-promise.ts";
import type { LoginProofRequest, TotpEnrollment } from "../api-types.ts";
import type { RequestOptions, Transport } from "../transport.ts";

/** The second factor of the developer who is signed in. */
export class DeveloperSecondFactor {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** A secret that asks nobody for a code until it is confirmed. With a second factor there already, a `ConflictError`. */
  begin(proof: LoginProofRequest = {}, options?: RequestOptions): ApiPromise<TotpEnrollment> {
    return this.#post("", proof, options);
  }

  /** Turns it on. The recovery codes are in this answer and nowhere else. */
  confirm(
    body: { readonly code: string } & LoginProofRequest,
    options?: RequestOptions,
  ): ApiPromise<{ readonly recovery_codes: readonly string[] }> {
    return this.#post("/confirm", body, options);
  }

  /** Turns it off, with a code of the device or a recovery code. */
  disable(body: { readonly code: string }, options?: RequestOptions): ApiPromise<void> {
    return this.#post("/disable", body, options);
  }

  #post<Data>(step: string, body: object, options?: RequestOptions): ApiPromise<Data> {
    const path = `/developers/dashboard/mfa/totp${step}`;
    return this.#transport.request({ method: "POST", path, access: "dashboard", body }, options);
  }
}
