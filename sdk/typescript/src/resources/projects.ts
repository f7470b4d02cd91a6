import type { ApiPromise } from "../api-promise.ts";
import { type ListBody, PagePromise } from "../paging.ts";
import { path } from "../path.ts";
import { type CursorQuery, requestPages } from "../request-pages.ts";
import type { Mode } from "../settings.ts";
import type { Call, RequestOptions, Transport } from "../transport.ts";
import { ProjectOperations } from "./operations.ts";
import { type PaymentMethod, ProjectBilling } from "./project-billing.ts";
import { ProjectEnv } from "./project-env.ts";
import { ProjectLinks } from "./project-links.ts";
import { ProjectServices } from "./project-services.ts";

/** Decimal text, such as `"100.00"`. */
export type Amount = string;

export type CapBehavior = "block" | "require_approval";

export type Metadata = Readonly<Record<string, string>>;

export interface CreateProjectRequest {
  /** 1 to 100 characters, unique per tenant and mode without regard to case. */
  readonly name: string;
  readonly description?: string;
  /** Default `"100.00"`. */
  readonly monthly_cap?: Amount;
  readonly currency?: "usd";
  readonly cap_behavior?: CapBehavior;
  readonly provider_caps?: Readonly<Record<string, Amount>>;
  /** Default `["development", "production"]`. */
  readonly environments?: readonly string[];
  readonly agent_ids?: readonly string[];
  readonly policy_id?: string;
  readonly metadata?: Metadata;
}

/** An absent field keeps what is there, null clears it; `metadata` and `provider_caps` merge. */
export interface UpdateProjectRequest {
  readonly name?: string;
  readonly description?: string | null;
  readonly monthly_cap?: Amount;
  readonly cap_behavior?: CapBehavior;
  readonly provider_caps?: Readonly<Record<string, Amount | null>> | null;
  readonly agent_ids?: readonly string[] | null;
  readonly policy_id?: string | null;
  readonly metadata?: Readonly<Record<string, string | null>> | null;
}

export interface Project {
  readonly object: "project";
  readonly project_id: string;
  readonly mode: Mode;
  readonly name: string;
  /** The name as a host or a file can carry it. Not unique. */
  readonly slug: string;
  readonly description: string | null;
  readonly status: "active" | "suspended" | "deleting" | "deleted" | "delete_failed";
  readonly monthly_cap: Amount;
  readonly currency: string;
  readonly cap_behavior: CapBehavior;
  readonly provider_caps: Readonly<Record<string, Amount>>;
  readonly usage: {
    readonly period_start: string;
    readonly period_end: string;
    readonly spent: Amount;
    readonly reserved: Amount;
    readonly remaining: Amount;
  };
  readonly billing: {
    readonly customer_id: string | null;
    readonly status: "none" | "requires_payment_method" | "requires_action" | "ready" | "past_due";
    readonly default_payment_method: PaymentMethod | null;
  };
  readonly environments: readonly string[];
  readonly links: readonly { readonly provider: string; readonly status: string }[];
  readonly services: readonly ProjectServiceSummary[];
  readonly agent_ids: readonly string[];
  readonly policy_id: string | null;
  readonly metadata: Metadata;
  readonly created_at: string;
  readonly updated_at: string;
  readonly deleted_at: string | null;
}

export interface ProjectServiceSummary {
  readonly service_id: string;
  readonly service: string;
  readonly status: string;
}

export interface DeletionEffect {
  readonly service_id: string;
  readonly effect: "destroyed" | "detached" | "failed";
  readonly detail: string | null;
}

export interface ProjectDeletion {
  readonly project_id: string;
  readonly status: "deleting" | "deleted";
  readonly services: readonly DeletionEffect[];
}

export interface ProjectDeletionPreview {
  readonly object: "project_deletion_preview";
  readonly project_id: string;
  readonly name: string;
  readonly services: readonly DeletionEffect[];
  /** How many variables would lose their values. */
  readonly variables: number;
}

export interface Charge {
  readonly charge_id: string;
  readonly service_id: string | null;
  readonly provider: string;
  readonly type: "subscription" | "usage" | "one_time" | "refund" | "adjustment";
  readonly description: string;
  readonly amount: Amount;
  readonly currency: string;
  readonly status:
    | "reserved"
    | "pending"
    | "succeeded"
    | "failed"
    | "released"
    | "refunded"
    | "disputed";
  readonly agent_id: string | null;
  readonly payment_id: string | null;
  readonly occurred_at: string;
}

export interface ProjectStatus {
  readonly project_id: string;
  readonly status: Project["status"];
  readonly cap: {
    readonly monthly_cap: Amount;
    readonly currency: string;
    readonly spent: Amount;
    readonly reserved: Amount;
    readonly remaining: Amount;
    readonly percent_used: number;
    readonly behavior: CapBehavior;
    readonly period_start: string;
    readonly period_end: string;
    readonly forecast: Amount;
  };
  readonly by_provider: readonly {
    readonly provider: string;
    readonly cap: Amount | null;
    readonly spent: Amount;
  }[];
  readonly recent_charges: readonly Charge[];
  readonly services: Project["services"];
  readonly links: Project["links"];
  readonly pending_actions: readonly {
    readonly type: "open_url" | "attach_payment_method" | "confirm_payment_method";
    readonly reason: string;
    readonly provider?: string;
    /** The link, which tells the address to open to callers that may link. */
    readonly poll_url?: string;
  }[];
  readonly warnings: readonly string[];
  readonly next_steps: readonly string[];
}

export interface CatalogQuery {
  readonly q?: string;
  readonly category?: string;
  readonly provider?: string;
  readonly cursor?: string;
  readonly limit?: number;
}

export interface CatalogProvider {
  readonly provider: string;
  readonly display_name: string;
  readonly categories: readonly string[];
  readonly auth: "oauth" | "api_token" | "instant";
  readonly protocol: string;
  readonly terms: { readonly version: string; readonly url: string };
  readonly regions: readonly string[];
  readonly health: string;
  readonly services: readonly CatalogService[];
}

export interface CatalogService {
  readonly service: string;
  readonly kind: "plan" | "deployable" | "addon";
  readonly description: string;
  readonly async: boolean;
  readonly credential_type: "single" | "multiple";
  readonly deprovision_effect: string;
  /** A JSON Schema of what `config` may hold. */
  readonly config_schema: Readonly<Record<string, unknown>>;
  readonly env_vars: readonly { readonly name: string; readonly sensitive: boolean }[];
  readonly requires_plan: readonly string[];
  readonly plans: readonly CatalogPlan[];
  readonly llm_context_url?: string;
  readonly docs_url?: string;
}

export interface CatalogPlan {
  readonly plan: string;
  readonly pricing: {
    readonly type: "free" | "paid" | "component" | "usage";
    readonly amount?: Amount;
    readonly currency?: string;
    readonly interval?: string;
    readonly usage?: readonly { readonly metric: string; readonly unit_price: Amount }[];
  };
  readonly limits?: Readonly<Record<string, number>>;
  readonly payment_method_required: boolean;
  readonly preauthorization_amount?: Amount;
  readonly allowed_updates: readonly string[];
}

export interface CatalogBody extends ListBody<CatalogProvider> {
  readonly catalog_version: string;
}

export interface SetVariableRequest {
  /** At most 32 KiB. */
  readonly value: string;
  /** Default: all of the project's. */
  readonly environments?: readonly string[];
  readonly sensitive?: boolean;
}

/** A variable without its value; values leave the service by `env.pull` only. */
export interface Variable {
  readonly object: "variable";
  readonly name: string;
  readonly environments: readonly string[];
  readonly sensitive: boolean;
  readonly version: number;
  readonly updated_at: string;
}

export interface DeletedVariable {
  readonly object: "variable";
  readonly name: string;
  readonly environments: readonly string[];
  readonly deleted: true;
}

export class Projects {
  readonly env: ProjectEnv;
  readonly variables: ProjectVariables;
  readonly links: ProjectLinks;
  readonly services: ProjectServices;
  readonly operations: ProjectOperations;
  readonly billing: ProjectBilling;
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
    this.env = new ProjectEnv(transport);
    this.variables = new ProjectVariables(transport);
    this.links = new ProjectLinks(transport);
    this.services = new ProjectServices(transport);
    this.operations = new ProjectOperations(transport);
    this.billing = new ProjectBilling(transport);
  }

  /** A name that is taken is a `ConflictError`. */
  create(body: CreateProjectRequest, options?: RequestOptions): ApiPromise<Project> {
    return this.#request({ method: "POST", path: "/projects", body }, options);
  }

  /** Newest first. `per_page` is 1 to 100, by default 20. */
  list(
    query: { readonly page?: number; readonly per_page?: number } = {},
    options?: RequestOptions,
  ): PagePromise<Project> {
    return new PagePromise(
      (pageQuery) => this.#request({ method: "GET", path: "/projects", query: pageQuery }, options),
      query,
    );
  }

  get(projectId: string, options?: RequestOptions): ApiPromise<Project> {
    return this.#request({ method: "GET", path: path`/projects/${projectId}` }, options);
  }

  update(
    projectId: string,
    body: UpdateProjectRequest,
    options?: RequestOptions,
  ): ApiPromise<Project> {
    return this.#request({ method: "PATCH", path: path`/projects/${projectId}`, body }, options);
  }

  /**
   * Deletes the project and what its services hold; `deletePreview` tells beforehand. While it runs the answer's `status`
   * is `deleting`, and the same call tells how far it is. A retry after a lost answer finds nothing left to delete and is a
   * `NotFoundError`.
   */
  delete(projectId: string, options?: RequestOptions): ApiPromise<ProjectDeletion> {
    return this.#request({ method: "DELETE", path: path`/projects/${projectId}` }, options);
  }

  deletePreview(projectId: string, options?: RequestOptions): ApiPromise<ProjectDeletionPreview> {
    return this.#request(
      { method: "POST", path: path`/projects/${projectId}/delete-preview` },
      options,
    );
  }

  /** What the month has cost, against its cap. */
  status(projectId: string, options?: RequestOptions): ApiPromise<ProjectStatus> {
    return this.#request({ method: "GET", path: path`/projects/${projectId}/status` }, options);
  }

  /** Providers and what can be added of each. */
  catalog(
    query: CatalogQuery = {},
    options?: RequestOptions,
  ): PagePromise<CatalogProvider, CatalogBody> {
    return new PagePromise(
      (pageQuery) =>
        this.#request({ method: "GET", path: "/projects/catalog", query: pageQuery }, options),
      { ...query },
    );
  }

  #request<Data>(call: Omit<Call, "access">, options?: RequestOptions): ApiPromise<Data> {
    return this.#transport.request({ ...call, access: "tenant" }, options);
  }
}

export class ProjectVariables {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  list(
    projectId: string,
    query: CursorQuery = {},
    options?: RequestOptions,
  ): PagePromise<Variable> {
    const route = path`/projects/${projectId}/variables`;
    return requestPages(this.#transport, route, query, options);
  }

  /** Without its value, as in the list. */
  get(projectId: string, name: string, options?: RequestOptions): ApiPromise<Variable> {
    const route = path`/projects/${projectId}/variables/${name}`;
    return this.#transport.request({ method: "GET", path: route, access: "tenant" }, options);
  }

  set(
    projectId: string,
    name: string,
    body: SetVariableRequest,
    options?: RequestOptions,
  ): ApiPromise<Variable> {
    const route = path`/projects/${projectId}/variables/${name}`;
    return this.#transport.request({ method: "PUT", path: route, access: "tenant", body }, options);
  }

  /** Removes the variable from every environment. */
  delete(projectId: string, name: string, options?: RequestOptions): ApiPromise<DeletedVariable> {
    const route = path`/projects/${projectId}/variables/${name}`;
    return this.#transport.request({ method: "DELETE", path: route, access: "tenant" }, options);
  }
}
