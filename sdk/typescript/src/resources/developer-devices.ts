import type { ApiPromise } from "../api-promise.ts";
import type {
  DeviceAuthorization,
  DeviceAuthorizationRequest,
  DeviceLogin,
  DeviceToken,
  LoginProofRequest,
} from "../api-types.ts";
import type { RequestOptions, Transport } from "../transport.ts";

const GRANT_TYPE = "urn:ietf:params:oauth:grant-type:device_code";

/** Device login (RFC 8628), which issues key pairs to programs without a browser. */
export class DeveloperDevices {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Starts a device login. A user approves it by entering the `user_code` at `verification_uri`. */
  begin(body: DeviceAuthorizationRequest = {}, options?: RequestOptions): ApiPromise<DeviceAuthorization> {
    return this.#post("", "public", body, options);
  }

  /**
   * Returns the key pair of an approved device login. Works only once.
   *
   * @throws BadRequestError with code `authorization_pending` until a user approves the device, or with code
   * `slow_down` if the calls are too frequent. After `slow_down`, increase the interval between calls by five seconds.
   */
  collect(deviceCode: string, options?: RequestOptions): ApiPromise<DeviceToken> {
    const body = { grant_type: GRANT_TYPE, device_code: deviceCode };
    return this.#post("/token", "public", body, options);
  }

  /**
   * Approves or denies a device login. The device receives a key pair in the client's mode. Approval requires a recent
   * login or the fields of `LoginProofRequest`.
   */
  decide(
    body: { readonly user_code: string; readonly approve?: boolean } & LoginProofRequest,
    options?: RequestOptions,
  ): ApiPromise<DeviceLogin> {
    return this.#post("/approve", "dashboard", body, options);
  }

  #post<Data>(step: string, access: "public" | "dashboard", body: object, options?: RequestOptions): ApiPromise<Data> {
    const path = `/developers/oauth/device${step}`;
    return this.#transport.request({ method: "POST", path, access, body }, options);
  }
}
