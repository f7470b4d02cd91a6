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

/** Key pairs for programs without a browser (RFC 8628). */
export class DeveloperDevices {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  begin(
    body: DeviceAuthorizationRequest = {},
    options?: RequestOptions,
  ): ApiPromise<DeviceAuthorization> {
    return this.#post("", "public", body, options);
  }

  /**
   * The pair, once. Until somebody has approved the device, a `BadRequestError` whose code is `authorization_pending` or
   * `slow_down`, after which the interval is five seconds longer.
   */
  collect(deviceCode: string, options?: RequestOptions): ApiPromise<DeviceToken> {
    const body = { grant_type: GRANT_TYPE, device_code: deviceCode };
    return this.#post("/token", "public", body, options);
  }

  /** Approves a device, or refuses it. Its key is of the client's mode. Approving needs a recent login or a `LoginProofRequest`. */
  decide(
    body: { readonly user_code: string; readonly approve?: boolean } & LoginProofRequest,
    options?: RequestOptions,
  ): ApiPromise<DeviceLogin> {
    return this.#post("/approve", "dashboard", body, options);
  }

  #post<Data>(
    step: string,
    access: "public" | "dashboard",
    body: object,
    options?: RequestOptions,
  ): ApiPromise<Data> {
    const path = `/developers/oauth/device${step}`;
    return this.#transport.request({ method: "POST", path, access, body }, options);
  }
}
