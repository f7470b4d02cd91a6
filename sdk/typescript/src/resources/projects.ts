import type { ApiPromise } from "../api-promise.ts";
import type {
  AuditEntry,
  Catalog,
  CatalogProvider,
  DeletedVariable,
  Project,
  ProjectCreateRequest,
  ProjectDeletion,
  ProjectDeletionPreview,
  ProjectStatus,
  ProjectUpdateRequest,
  Variable,
  VariableSetRequest,
} from "../api-types.ts";
import { PagePromise } from "../paging.ts";
import { path } from "../path.ts";
import { type CursorQuery, requestPages } from "../request-pages.ts";
import type { Call, RequestOptions, Transport } from "../transport.ts";
import { ProjectOperations } from "./operations.ts";
import { ProjectBilling } from "./project-billing.ts";
import { ProjectEnv } from "./project-env.ts";
import { ProjectLinks } from "./project-links.ts";
import { ProjectServices } from "./project-services.ts";

/** Decimal text, such as `"100.00"`. */
export type Amount = string;

export type CapBehavior = Project["cap_behavior"];

export type Metadata = Project["metadata"];

export interface CatalogQuery {
  readonly q?: string;
  readonly category?: string;
  readonly provider?: string;
  readonly cursor?: string;
  readonly limit?: number;
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
  create(body: ProjectCreateRequest, options?: RequestOptions): ApiPromise<Project> {
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
    body: ProjectUpdateRequest,
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

  /** Lists the project's audit entries, newest first. */
  audit(
    projectId: string,
    query: CursorQuery = {},
    options?: RequestOptions,
  ): PagePromise<AuditEntry> {
    return requestPages(this.#transport, path`/projects/${projectId}/audit`, query, options);
  }

  /** Providers and what can be added of each. */
  catalog(
    query: CatalogQuery = {},
    options?: RequestOptions,
  ): PagePromise<CatalogProvider, Catalog> {
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
    body: VariableSetRequest,
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
