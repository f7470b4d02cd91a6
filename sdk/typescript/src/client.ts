import type { ApiPromise } from "./api-promise.ts";
import { Admin, Agents, Developers, Fiat, KillSwitches, Policies, Projects, Wallets } from "./api-resources.ts";
import type { LimitList, ServerTime } from "./api-types.ts";
import { Approvals } from "./resources/approvals.ts";
import { Audit } from "./resources/audit.ts";
import { Operations } from "./resources/operations.ts";
import { Payments } from "./resources/payments.ts";
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
export class Purser {
  readonly admin: Admin;
  readonly developers: Developers;
  readonly projects: Projects;
  readonly agents: Agents;
  readonly wallets: Wallets;
  readonly policies: Policies;
  readonly payments: Payments;
  readonly fiat: Fiat;
  readonly operations: Operations;
  readonly approvals: Approvals;
  readonly killSwitch: KillSwitches;
  readonly audit: Audit;
  readonly #transport: Transport;

  /** `transport` is for internal use. */
  constructor(options: PurserOptions = {}, transport?: Transport) {
    this.#transport = transport ?? new Transport(settingsFrom(options, processEnvironment()));
    this.admin = new Admin(this.#transport);
    this.developers = new Developers(this.#transport);
    this.projects = new Projects(this.#transport);
    this.agents = new Agents(this.#transport);
    this.wallets = new Wallets(this.#transport);
    this.policies = new Policies(this.#transport);
    this.payments = new Payments(this.#transport);
    this.fiat = new Fiat(this.#transport);
    this.operations = new Operations(this.#transport);
    this.approvals = new Approvals(this.#transport);
    this.killSwitch = new KillSwitches(this.#transport);
    this.audit = new Audit(this.#transport);
  }

  /**
   * `live` or `test`, depending on the client's credentials. Undefined if the client has no credentials, or if the
   * option `mode` is missing for an access token.
   */
  get mode(): Mode | undefined {
    return this.#transport.mode;
  }

  /** Returns the caller's rate limits. */
  limits(options?: RequestOptions): ApiPromise<LimitList> {
    return this.#transport.request({ method: "GET", path: "/limits", access: "tenant" }, options);
  }

  /** Returns the server's time. */
  time(options?: RequestOptions): ApiPromise<ServerTime> {
    return this.#transport.request({ method: "GET", path: "/time", access: "public" }, options);
  }

  /** Returns a client with the same settings whose calls act for the given agent. */
  withAgent(agentId: string): Purser {
    return new Purser({}, this.#transport.forAgent(agentId));
  }

  /**
   * Calls a route for which this SDK has no method. Signing, retries and errors work as for all other calls.
   *
   * @param path with or without the prefix `/api/v1/svc`
   */
  get<Data = unknown>(path: string, request?: RawRequest, options?: RequestOptions): ApiPromise<Data> {
    return this.#request("GET", path, request, options);
  }

  post<Data = unknown>(path: string, request?: RawRequest, options?: RequestOptions): ApiPromise<Data> {
    return this.#request("POST", path, request, options);
  }

  put<Data = unknown>(path: string, request?: RawRequest, options?: RequestOptions): ApiPromise<Data> {
    return this.#request("PUT", path, request, options);
  }

  patch<Data = unknown>(path: string, request?: RawRequest, options?: RequestOptions): ApiPromise<Data> {
    return this.#request("PATCH", path, request, options);
  }

  delete<Data = unknown>(path: string, request?: RawRequest, options?: RequestOptions): ApiPromise<Data> {
    return this.#request("DELETE", path, request, options);
  }

  #request<Data>(method: Method, path: string, request: RawRequest = {}, options?: RequestOptions): ApiPromise<Data> {
    return this.#transport.request({ ...request, method, path, access: "any" }, options);
  }
}

function processEnvironment(): Environment {
  // Some runtimes have no `process`.
  // biome-ignore lint/style/noProcessEnv: the client reads its documented defaults from environment variables.
  return globalThis.process?.env ?? {};
}
