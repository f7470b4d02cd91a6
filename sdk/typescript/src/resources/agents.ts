import type { ApiPromise } from "../api-promise.ts";
import type {
  Agent,
  AgentCreateRequest,
  AgentStatusRequest,
  AgentUpdateRequest,
  CreateAgentKeyRequest,
  IssuedApiKey,
  KyaToken,
} from "../api-types.ts";
import type { PagePromise } from "../paging.ts";
import { path } from "../path.ts";
import { type CursorQuery, requestPages } from "../request-pages.ts";
import type { Call, RequestOptions, Transport } from "../transport.ts";

/** Software agents that act for the developer. */
export class Agents {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Creates an agent.
   *
   * @throws ConflictError if the id is taken, also by a deleted agent.
   */
  create(body: AgentCreateRequest, options?: RequestOptions): ApiPromise<Agent> {
    return this.#request({ method: "POST", path: "/agents", body }, options);
  }

  /** Lists agents, newest first. */
  list(query: CursorQuery = {}, options?: RequestOptions): PagePromise<Agent> {
    return requestPages(this.#transport, "/agents", query, options);
  }

  get(agentId: string, options?: RequestOptions): ApiPromise<Agent> {
    return this.#request({ method: "GET", path: path`/agents/${agentId}` }, options);
  }

  update(agentId: string, body: AgentUpdateRequest, options?: RequestOptions): ApiPromise<Agent> {
    return this.#request({ method: "PATCH", path: path`/agents/${agentId}`, body }, options);
  }

  /** Revokes the agent and hides it. Its id is never free again. */
  delete(agentId: string, options?: RequestOptions): ApiPromise<void> {
    return this.#request({ method: "DELETE", path: path`/agents/${agentId}` }, options);
  }

  /** Suspends the agent until it is resumed. Its descendants cannot act either. */
  suspend(agentId: string, body: AgentStatusRequest = {}, options?: RequestOptions): ApiPromise<Agent> {
    return this.#request({ method: "POST", path: path`/agents/${agentId}/suspend`, body }, options);
  }

  resume(agentId: string, body: AgentStatusRequest = {}, options?: RequestOptions): ApiPromise<Agent> {
    return this.#request({ method: "POST", path: path`/agents/${agentId}/resume`, body }, options);
  }

  /** Revokes the agent for ever, and the keys that are bound only to revoked agents. */
  revoke(agentId: string, body: AgentStatusRequest = {}, options?: RequestOptions): ApiPromise<Agent> {
    return this.#request({ method: "POST", path: path`/agents/${agentId}/revoke`, body }, options);
  }

  /**
   * Creates a key pair that is bound to the agent.
   *
   * @throws ConflictError with code `secret_already_issued` if an earlier attempt of this call created the key, but its
   * response did not arrive. Revoke that key and create another one.
   */
  createKey(agentId: string, body: CreateAgentKeyRequest, options?: RequestOptions): ApiPromise<IssuedApiKey> {
    return this.#request({ method: "POST", path: path`/agents/${agentId}/keys`, body }, options);
  }

  /** Returns a signed token with which the agent shows the audience how well it is known. Valid for ten minutes. */
  kyaToken(agentId: string, query: { readonly audience: string }, options?: RequestOptions): ApiPromise<KyaToken> {
    return this.#request({ method: "GET", path: path`/agents/${agentId}/kya-token`, query }, options);
  }

  #request<Data>(call: Omit<Call, "access">, options?: RequestOptions): ApiPromise<Data> {
    return this.#transport.request({ ...call, access: "tenant" }, options);
  }
}
