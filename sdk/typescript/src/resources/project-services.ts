import type { ApiPromise } from "../api-promise.ts";
import type {
  AddServiceRequest,
  DeepLink,
  RotateServiceRequest,
  Service,
  ServiceAddition,
  ServiceRemoval,
  ServiceRotation,
  ServiceUpgrade,
  UpgradeServiceRequest,
} from "../api-types.ts";
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
   * Provisions a service at a linked provider.
   *
   * @throws PaymentRequiredError if a payment method is missing, ConflictError with code `provider_not_linked` if the
   * provider is not linked. `nextAction` describes the next step.
   */
  add(projectId: string, body: AddServiceRequest, options?: RequestOptions): ApiPromise<ServiceAddition> {
    const route = path`/projects/${projectId}/services`;
    return this.#transport.request({ method: "POST", path: route, access: "tenant", body }, options);
  }

  /** Lists services, newest first. */
  list(projectId: string, query: CursorQuery = {}, options?: RequestOptions): PagePromise<Service> {
    const route = path`/projects/${projectId}/services`;
    return requestPages(this.#transport, route, query, options);
  }

  get(projectId: string, serviceId: string, options?: RequestOptions): ApiPromise<Service> {
    const route = path`/projects/${projectId}/services/${serviceId}`;
    return this.#transport.request({ method: "GET", path: route, access: "tenant" }, options);
  }

  /**
   * Issues new credentials and retires the former ones after the grace period. `status` is `pending` until then.
   *
   * @throws ConflictError if the service is being changed.
   */
  rotate(
    projectId: string,
    serviceId: string,
    body: RotateServiceRequest = {},
    options?: RequestOptions,
  ): ApiPromise<ServiceRotation> {
    const route = path`/projects/${projectId}/services/${serviceId}/rotate`;
    return this.#transport.request({ method: "POST", path: route, access: "tenant", body }, options);
  }

  /**
   * Changes the service's plan, at once or when the month ends. If the service has the plan already, nothing changes, and a
   * change that waits for the end of the month is canceled.
   *
   * @throws ConflictError with code `not_upgradable` if the service cannot change to this plan; `errors` names the plans that
   * are possible. PermissionDeniedError with code `cap_exceeded` if a cap is too small.
   */
  upgrade(
    projectId: string,
    serviceId: string,
    body: UpgradeServiceRequest,
    options?: RequestOptions,
  ): ApiPromise<ServiceUpgrade> {
    const route = path`/projects/${projectId}/services/${serviceId}/upgrade`;
    return this.#transport.request({ method: "POST", path: route, access: "tenant", body }, options);
  }

  /** Returns a URL that opens the service in its provider's dashboard. It can be used once, and is a secret. */
  deepLink(projectId: string, serviceId: string, options?: RequestOptions): ApiPromise<DeepLink> {
    const route = path`/projects/${projectId}/services/${serviceId}/deep-link`;
    return this.#transport.request({ method: "POST", path: route, access: "tenant" }, options);
  }

  /** Removes the service and deletes its data at the provider. */
  remove(projectId: string, serviceId: string, options?: RequestOptions): ApiPromise<ServiceRemoval> {
    const route = path`/projects/${projectId}/services/${serviceId}`;
    return this.#transport.request({ method: "DELETE", path: route, access: "tenant" }, options);
  }
}
