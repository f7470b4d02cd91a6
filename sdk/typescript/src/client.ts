import process from "node:process";
import type { ApiPromise } from "./api-promise.ts";
import type { LimitList } from "./api-types.ts";
import { Audit } from "./resources/audit.ts";
import { Developers } from "./resources/developers.ts";
import { Operations } from "./resources/operations.ts";
import { Projects } from "./resources/projects.ts";
import { type Environment, type Mode, type PurserOptions, settingsFrom } from "./settings.ts";
import { type Method, type Query, type RequestOptions, Transport } from "./transport.ts";

export interface RawRequest {
  readonly query?: Query;
  /** Sent as JSON. */
  readonly body?: object;
}

/**
 * A client of the service. All options are optional where the environment gives them: `PURSER_API_KEY`,
 * `PURSER_API_SECRET`, `PURSER_AGENT_ID`, `PURSER_BASE_URL`, `PURSER_LOG`.
 *
 * Calls throw the classes of `errors.ts`: an `APIError` for an answer that is no success, an
 * `APIConnectionError` where none came, a `PurserError` for a call that could not be made.
 */
export class Purser {
  readonly developers: Developers;
  readonly projects: Projects;
  readonly operations: Operations;
  readonly audit: Audit;
  readonly #transport: Transport;

  /** `transport` is for `withAgent`; leave it out. */
  constructor(options: PurserOptions = {}, transport?: Transport) {
    this.#transport = transport ?? new Transport(settingsFrom(options, processEnvironment()));
    this.developers = new Developers(this.#transport);
    this.projects = new Projects(this.#transport);
    this.operations = new Operations(this.#transport);
    this.audit = new Audit(this.#transport);
  }

  /** Whether calls act on live or on test objects; undefined for a client that can make public calls only. */
  get mode(): Mode | undefined {
    return this.#transport.mode;
  }

  limits(options?: RequestOptions): ApiPromise<LimitList> {
    return this.#transport.request({ method: "GET", path: "/limits", access: "tenant" }, options);
  }

  /** The same client acting for another agent. */
  withAgent(agentId: string): Purser {
    return new Purser({}, this.#transport.forAgent(agentId));
  }

  /** Routes that have no method here yet: signed, retried and told apart as all calls are. */
  get<Data = unknown>(
    path: string,
    request?: RawRequest,
    options?: RequestOptions,
  ): ApiPromise<Data> {
    return this.#request("GET", path, request, options);
  }

  post<Data = unknown>(
    path: string,
    request?: RawRequest,
    options?: RequestOptions,
  ): ApiPromise<Data> {
    return this.#request("POST", path, request, options);
  }

  put<Data = unknown>(
    path: string,
    request?: RawRequest,
    options?: RequestOptions,
  ): ApiPromise<Data> {
    return this.#request("PUT", path, request, options);
  }

  patch<Data = unknown>(
    path: string,
    request?: RawRequest,
    options?: RequestOptions,
  ): ApiPromise<Data> {
    return this.#request("PATCH", path, request, options);
  }

  delete<Data = unknown>(
    path: string,
    request?: RawRequest,
    options?: RequestOptions,
  ): ApiPromise<Data> {
    return this.#request("DELETE", path, request, options);
  }

  #request<Data>(
    method: Method,
    path: string,
    request: RawRequest = {},
    options?: RequestOptions,
  ): ApiPromise<Data> {
    return this.#transport.request({ ...request, method, path, access: "any" }, options);
  }
}

function processEnvironment(): Environment {
  // biome-ignore lint/style/noProcessEnv: the documented defaults of a client are environment variables.
  return process.env;
}
