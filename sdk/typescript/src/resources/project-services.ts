import type { ApiPromise } from "../api-promise.ts";
import type { AddServiceRequest, Service, ServiceAddition, ServiceRemoval } from "../api-types.ts";
import type { PagePromise } from "../paging.ts";
import { path } from "../path.ts";
import { type CursorQuery, requestPages } from "../request-pages.ts";
import type { RequestOptions, Transport } from "../transport.ts";

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
  ): ApiPromise<ServiceAddition> {
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
  ): ApiPromise<ServiceRemoval> {
    const route = path`/projects/${projectId}/services/${serviceId}`;
    return this.#transport.request({ method: "DELETE", path: route, access: "tenant" }, options);
  }
}
