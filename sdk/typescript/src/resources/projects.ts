import type { ApiPromise } from "../api-promise.ts";
import type {
  AuditEntry,
  Catalog,
  CatalogProvider,
  Charge,
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

/** An amount in US dollars as decimal text, for example `"100.00"`. */
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

  /**
   * Creates a project.
   *
   * @throws ConflictError if the name is already taken.
   */
  create(body: ProjectCreateRequest, options?: RequestOptions): ApiPromise<Project> {
    return this.#request({ method: "POST", path: "/projects", body }, options);
  }

  /**
   * Lists projects, newest first. `per_page` is 1 to 100 and defaults to 20. Iterating reaches every project, also if
   * projects are deleted meanwhile. `page` and `cursor` are two ways to name the first page.
   */
  list(
    query: { readonly cursor?: string; readonly page?: number; readonly per_page?: number } = {},
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

  update(projectId: string, body: ProjectUpdateRequest, options?: RequestOptions): ApiPromise<Project> {
    return this.#request({ method: "PATCH", path: path`/projects/${projectId}`, body }, options);
  }

  /**
   * Deletes the project, its services and their data (see `deletePreview`). The response's `status` is `deleting` until
   * the deletion ends. Call `delete` again to read the progress.
   *
   * @throws NotFoundError if the project has already been deleted, for example by a call whose response did not arrive.
   */
  delete(projectId: string, options?: RequestOptions): ApiPromise<ProjectDeletion> {
    return this.#request({ method: "DELETE", path: path`/projects/${projectId}` }, options);
  }

  /** Lists what `delete` would delete. */
  deletePreview(projectId: string, options?: RequestOptions): ApiPromise<ProjectDeletionPreview> {
    return this.#request({ method: "POST", path: path`/projects/${projectId}/delete-preview` }, options);
  }

  /** Returns the project's charges in the current UTC month and its monthly spending cap. */
  status(projectId: string, options?: RequestOptions): ApiPromise<ProjectStatus> {
    return this.#request({ method: "GET", path: path`/projects/${projectId}/status` }, options);
  }

  /** Lists the project's charges, newest first. `period` is a month in UTC, for example `2026-11`. */
  charges(
    projectId: string,
    query: CursorQuery & { readonly period?: string; readonly provider?: string } = {},
    options?: RequestOptions,
  ): PagePromise<Charge> {
    return requestPages(this.#transport, path`/projects/${projectId}/charges`, query, options);
  }

  /** Lists the project's audit entries, newest first. */
  audit(projectId: string, query: CursorQuery = {}, options?: RequestOptions): PagePromise<AuditEntry> {
    return requestPages(this.#transport, path`/projects/${projectId}/audit`, query, options);
  }

  /** Lists providers and the services that each of them offers. */
  catalog(query: CatalogQuery = {}, options?: RequestOptions): PagePromise<CatalogProvider, Catalog> {
    return new PagePromise(
      (pageQuery) => this.#request({ method: "GET", path: "/projects/catalog", query: pageQuery }, options),
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

  list(projectId: string, query: CursorQuery = {}, options?: RequestOptions): PagePromise<Variable> {
    const route = path`/projects/${projectId}/variables`;
    return requestPages(this.#transport, route, query, options);
  }

  /** Returns a variable without its value. */
  get(projectId: string, name: string, options?: RequestOptions): ApiPromise<Variable> {
    const route = path`/projects/${projectId}/variables/${name}`;
    return this.#transport.request({ method: "GET", path: route, access: "tenant" }, options);
  }

  set(projectId: string, name: string, body: VariableSetRequest, options?: RequestOptions): ApiPromise<Variable> {
    const route = path`/projects/${projectId}/variables/${name}`;
    return this.#transport.request({ method: "PUT", path: route, access: "tenant", body }, options);
  }

  /** Removes the variable from all environments. */
  delete(projectId: string, name: string, options?: RequestOptions): ApiPromise<DeletedVariable> {
    const route = path`/projects/${projectId}/variables/${name}`;
    return this.#transport.request({ method: "DELETE", path: route, access: "tenant" }, options);
  }
}
