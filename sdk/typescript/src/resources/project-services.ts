import type { ApiPromise } from "../api-promise.ts";
import type { PagePromise } from "../paging.ts";
import { path } from "../path.ts";
import { type CursorQuery, requestPages } from "../request-pages.ts";
import type { Mode } from "../settings.ts";
import type { RequestOptions, Transport } from "../transport.ts";
import type { Operation } from "./operations.ts";

export interface AddServiceRequest {
  /** `provider/slug`, as the catalog has it: `neon/postgres`. Or `provider` and `service_slug`. */
  readonly service?: string;
  readonly provider?: string;
  readonly service_slug?: string;
  /** Its name in the project, which tells two of a kind apart. */
  readonly name?: string;
  readonly plan?: string;
  /** As the catalog's `config_schema` says. */
  readonly config?: Readonly<Record<string, unknown>>;
  readonly region?: string;
  /** Default: all of the project's. */
  readonly environments?: readonly string[];
  readonly env_prefix?: string;
  /** Refuses a plan that costs more a month. Decimal text. */
  readonly max_monthly_cost?: string;
  readonly accept_terms_version?: string;
  readonly existing_resource_id?: string;
  readonly agent_id?: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

export interface Service {
  readonly object: "service";
  readonly service_id: string;
  readonly project_id: string;
  readonly mode: Mode;
  readonly link_id: string | null;
  readonly provider: string;
  readonly service: string;
  readonly name: string;
  readonly plan: string;
  readonly status:
    | "pending"
    | "requires_action"
    | "provisioning"
    | "active"
    | "updating"
    | "rotating"
    | "suspended"
    | "removing"
    | "removed"
    | "failed";
  readonly region: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly environments: readonly string[];
  readonly env_prefix: string | null;
  /** Under which names `env.pull` gives its values. */
  readonly env_names: readonly string[];
  readonly credential: {
    readonly version: number;
    readonly type: "single" | "multiple";
    readonly rotated_at: string | null;
    readonly previous_valid_until: string | null;
    readonly expires_at: string | null;
  };
  readonly pricing: {
    readonly type: "free" | "paid" | "component" | "usage";
    readonly amount?: string;
    readonly currency?: string;
    readonly interval?: string;
  };
  readonly allowed_updates: readonly string[];
  readonly deprovision_effect: "destroy" | "detach";
  readonly provider_resource_id: string | null;
  readonly dashboard_url_available: boolean;
  readonly notification: {
    readonly level: string;
    readonly title: string;
    readonly href?: string;
  } | null;
  readonly agent_id: string | null;
  readonly metadata: Readonly<Record<string, string>>;
  readonly created_at: string;
  readonly updated_at: string;
  readonly removed_at: string | null;
}

export interface AddedService {
  readonly service: Service;
  readonly operation: Operation;
  /** Its values, where it is ready at once and the key may read environments (`env:read`). */
  readonly env: Readonly<Record<string, string>> | null;
  readonly env_names: readonly string[];
  /** Of `env`; null where that is. */
  readonly fingerprint: string | null;
  /** Where it is not ready at once: when it will be, as a rule, and where to ask. `operations.waitFor` does. */
  readonly expected_callback_seconds: number | null;
  readonly poll_url: string | null;
}

export interface RemovedService extends Service {
  /** What becomes of the provider's resource. */
  readonly effect: "destroyed" | "detached";
  readonly operation: Operation;
  /** Where to ask while it is still being removed. */
  readonly poll_url: string | null;
}

export class ProjectServices {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /**
   * Has a linked provider make a service for the project. Refusals name what is missing in `nextAction`: a
   * `PaymentRequiredError` a payment method, a `ConflictError` of code `provider_not_linked` a link.
   */
  add(
    projectId: string,
    body: AddServiceRequest,
    options?: RequestOptions,
  ): ApiPromise<AddedService> {
    const route = path`/projects/${projectId}/services`;
    return this.#transport.request(
      { method: "POST", path: route, access: "tenant", body },
      options,
    );
  }

  /** Newest first. */
  list(projectId: string, query: CursorQuery = {}, options?: RequestOptions): PagePromise<Service> {
    const route = path`/projects/${projectId}/services`;
    return requestPages(this.#transport, route, query, options);
  }

  get(projectId: string, serviceId: string, options?: RequestOptions): ApiPromise<Service> {
    const route = path`/projects/${projectId}/services/${serviceId}`;
    return this.#transport.request({ method: "GET", path: route, access: "tenant" }, options);
  }

  /** Removes the service with what it holds at the provider. */
  remove(
    projectId: string,
    serviceId: string,
    options?: RequestOptions,
  ): ApiPromise<RemovedService> {
    const route = path`/projects/${projectId}/services/${serviceId}`;
    return this.#transport.request({ method: "DELETE", path: route, access: "tenant" }, options);
  }
}
