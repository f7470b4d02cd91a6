import type { ApiPromise } from "../api-promise.ts";
import type {
  Backtest,
  Policy,
  PolicyBacktestRequest,
  PolicyCreateRequest,
  PolicyEvaluateRequest,
  PolicyEvaluation,
  PolicyRollbackRequest,
  PolicyUpdateRequest,
} from "../api-types.ts";
import type { PagePromise } from "../paging.ts";
import { path } from "../path.ts";
import { type CursorQuery, requestPages } from "../request-pages.ts";
import type { Call, RequestOptions, Transport } from "../transport.ts";

/** The rules that decide what agents can do. */
export class Policies {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  create(body: PolicyCreateRequest, options?: RequestOptions): ApiPromise<Policy> {
    return this.#request({ method: "POST", path: "/policies", body }, options);
  }

  /** Lists policies, newest first. */
  list(query: CursorQuery = {}, options?: RequestOptions): PagePromise<Policy> {
    return requestPages(this.#transport, "/policies", query, options);
  }

  get(policyId: string, options?: RequestOptions): ApiPromise<Policy> {
    return this.#request({ method: "GET", path: path`/policies/${policyId}` }, options);
  }

  /**
   * Changes the policy, which makes a new version.
   *
   * @throws ConflictError with code `version_conflict` if `version` is not the policy's current version.
   */
  update(policyId: string, body: PolicyUpdateRequest, options?: RequestOptions): ApiPromise<Policy> {
    return this.#request({ method: "PATCH", path: path`/policies/${policyId}`, body }, options);
  }

  /**
   * Deletes the policy.
   *
   * @throws ConflictError for the starter policy, and while it is the `policy_id` of an agent or a project.
   */
  delete(policyId: string, options?: RequestOptions): ApiPromise<void> {
    return this.#request({ method: "DELETE", path: path`/policies/${policyId}` }, options);
  }

  /** Makes a new version with the content of an existing version. */
  rollback(policyId: string, body: PolicyRollbackRequest, options?: RequestOptions): ApiPromise<Policy> {
    const route = path`/policies/${policyId}/rollback`;
    return this.#request({ method: "POST", path: route, body }, options);
  }

  /** Returns what policies decide about an operation, and why, without doing it. */
  evaluate(body: PolicyEvaluateRequest, options?: RequestOptions): ApiPromise<PolicyEvaluation> {
    return this.#request({ method: "POST", path: "/policies/evaluate", body }, options);
  }

  /** Replays what an agent asked to do in the last 30 days with the policy or with a draft of its rules. */
  backtest(policyId: string, body: PolicyBacktestRequest, options?: RequestOptions): ApiPromise<Backtest> {
    const route = path`/policies/${policyId}/backtest`;
    return this.#request({ method: "POST", path: route, body }, options);
  }

  #request<Data>(call: Omit<Call, "access">, options?: RequestOptions): ApiPromise<Data> {
    return this.#transport.request({ ...call, access: "tenant" }, options);
  }
}
