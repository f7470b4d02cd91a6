import type { ApiPromise } from "./api-promise.ts";
import {
  Admin,
  Agents,
  Developers,
  Fiat,
  Invoices,
  KillSwitches,
  Policies,
  Projects,
  Wallets,
} from "./api-resources.ts";
import type { LimitList, ServerTime } from "./api-types.ts";
import { Resource } from "./resource.ts";
import { Approvals } from "./resources/approvals.ts";
import { Audit } from "./resources/audit.ts";
import { Events } from "./resources/events.ts";
import { Operations } from "./resources/operations.ts";
import { Payments } from "./resources/payments.ts";
import { Webhooks } from "./resources/webhooks.ts";
import { type Environment, type Mode, type PurserOptions, settingsFrom } from "./settings.ts";
import { type Method, type Query, type RequestOptions, Transport } from "./transport.ts";

export interface RawRequest {
  readonly query?: Query;
  /** The request body, which is sent as JSON. */
  readonly body?: object;
}

/**
 * The API client. Options that are not given are read from the environment variables `PURSER_API_KEY`,
 * `PURSER_API_SECRET`, `PURSER_AGENT_ID`, `PURSER_BASE_URL` and `PURSER_LOG`.
 *
 * Calls throw `APIError` for an error response, `APIConnectionError` if no response arrives, and `PurserError` if the
 * request cannot be built.
 */
export class Purser extends Resource {
  readonly admin = new Admin(this.transport());
  readonly developers = new Developers(this.transport());
  readonly projects = new Projects(this.transport());
  readonly agents = new Agents(this.transport());
  readonly wallets = new Wallets(this.transport());
  readonly policies = new Policies(this.transport());
  readonly payments = new Payments(this.transport());
  readonly fiat = new Fiat(this.transport());
  readonly invoices = new Invoices(this.transport());
  readonly operations = new Operations(this.transport());
  readonly approvals = new Approvals(this.transport());
  readonly killSwitch = new KillSwitches(this.transport());
  readonly audit = new Audit(this.transport());
  readonly events = new Events(this.transport());
  readonly webhooks = new Webhooks(this.transport());

  /** `transport` is for internal use. */
  constructor(options: PurserOptions = {}, transport?: Transport) {
    super(transport ?? new Transport(settingsFrom(options, processEnvironment())));
  }

  /**
   * `live` or `test`, depending on the client's credentials. Undefined if the client has no credentials, or if the
   * option `mode` is missing for an access token.
   */
  get mode(): Mode | undefined {
    return this.transport().mode;
  }

  /** Returns the caller's rate limits. */
  limits(options?: RequestOptions): ApiPromise<LimitList> {
    return this.request({ method: "GET", path: "/limits", access: "tenant" }, options);
  }

  /** Returns the server's time. */
  time(options?: RequestOptions): ApiPromise<ServerTime> {
    return this.request({ method: "GET", path: "/time", access: "public" }, options);
  }

  /** Returns a client with the same settings whose calls act for the given agent. */
  withAgent(agentId: string): Purser {
    return new Purser({}, this.transport().forAgent(agentId));
  }

  /**
   * Calls a route for which this SDK has no method. Signing, retries and errors work as for all other calls.
   *
   * @param path with or without the prefix `/api/v1/svc`
   */
  get<Data = unknown>(path: string, request?: RawRequest, options?: RequestOptions): ApiPromise<Data> {
    return this.#call("GET", path, request, options);
  }

  post<Data = unknown>(path: string, request?: RawRequest, options?: RequestOptions): ApiPromise<Data> {
    return this.#call("POST", path, request, options);
  }

  put<Data = unknown>(path: string, request?: RawRequest, options?: RequestOptions): ApiPromise<Data> {
    return this.#call("PUT", path, request, options);
  }

  patch<Data = unknown>(path: string, request?: RawRequest, options?: RequestOptions): ApiPromise<Data> {
    return this.#call("PATCH", path, request, options);
  }

  delete<Data = unknown>(path: string, request?: RawRequest, options?: RequestOptions): ApiPromise<Data> {
    return this.#call("DELETE", path, request, options);
  }

  #call<Data>(method: Method, path: string, request: RawRequest = {}, options?: RequestOptions): ApiPromise<Data> {
    return this.request({ ...request, method, path, access: "any" }, options);
  }
}

function processEnvironment(): Environment {
  // Some runtimes have no `process`.
  // biome-ignore lint/style/noProcessEnv: the client reads its documented defaults from environment variables.
  return globalThis.process?.env ?? {};
}
