import type { ApiPromise } from "../api-promise.ts";
import type { LoginProofRequest, TotpEnrollment } from "../api-types.ts";
import type { RequestOptions, Transport } from "../transport.ts";

/** The signed-in developer's second factor (TOTP). */
export class DeveloperSecondFactor {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Creates a TOTP secret. Logins do not require a code until `confirm` is called.
   *
   * @throws ConflictError if a second factor is already enabled.
   */
  begin(proof: LoginProofRequest = {}, options?: RequestOptions): ApiPromise<TotpEnrollment> {
    return this.#post("", proof, options);
  }

  /** Enables the second factor. Only this response contains the recovery codes. */
  confirm(
    body: { readonly code: string } & LoginProofRequest,
    options?: RequestOptions,
  ): ApiPromise<{ readonly recovery_codes: readonly string[] }> {
    return this.#post("/confirm", body, options);
  }

  /** Disables the second factor. `code` is a TOTP code or a recovery code. */
  disable(body: { readonly code: string }, options?: RequestOptions): ApiPromise<void> {
    return this.#post("/disable", body, options);
  }

  #post<Data>(step: string, body: object, options?: RequestOptions): ApiPromise<Data> {
    const path = `/developers/dashboard/mfa/totp${step}`;
    return this.#transport.request({ method: "POST", path, access: "dashboard", body }, options);
  }
}
