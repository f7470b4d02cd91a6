import type { ApiPromise } from "../api-promise.ts";
import type { RequestOptions, Transport } from "../transport.ts";
import type { LoginProof } from "./developer-identities.ts";
import type { ApiKey } from "./developer-keys.ts";

const GRANT_TYPE = "urn:ietf:params:oauth:grant-type:device_code";

export interface BeginDeviceLoginRequest {
  /** The key is named after it. */
  readonly client_name?: string;
  readonly client_id?: string;
  /** Scopes of the key, between blanks. */
  readonly scope?: string;
}

export interface BegunDeviceLogin {
  readonly device_code: string;
  /** For a person to type at `verification_uri`. */
  readonly user_code: string;
  readonly verification_uri: string;
  readonly verification_uri_complete: string;
  readonly expires_in: number;
  /** Seconds to wait between two calls of `collect`. */
  readonly interval: number;
}

/** The one answer that carries the pair. Store it now. */
export interface DevicePair {
  readonly developer_id: string;
  readonly api_key: string;
  readonly api_secret: string;
  readonly key: ApiKey;
}

export interface DecidedDeviceLogin {
  readonly object: "device_login";
  readonly status: "approved" | "denied";
  readonly client_name: string;
  /** Null where the device was refused. */
  readonly key: ApiKey | null;
}

/** Key pairs for programs without a browser (RFC 8628). */
export class DeveloperDevices {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  begin(
    body: BeginDeviceLoginRequest = {},
    options?: RequestOptions,
  ): ApiPromise<BegunDeviceLogin> {
    return this.#post("", "public", body, options);
  }

  /**
   * The pair, once. Until somebody has approved the device, a `BadRequestError` whose code is `authorization_pending` or
   * `slow_down`, after which the interval is five seconds longer.
   */
  collect(deviceCode: string, options?: RequestOptions): ApiPromise<DevicePair> {
    const body = { grant_type: GRANT_TYPE, device_code: deviceCode };
    return this.#post("/token", "public", body, options);
  }

  /** Approves a device, or refuses it. Its key is of the client's mode. Approving needs a recent login or a `LoginProof`. */
  decide(
    body: { readonly user_code: string; readonly approve?: boolean } & LoginProof,
    options?: RequestOptions,
  ): ApiPromise<DecidedDeviceLogin> {
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
