export const STEPS = [
  "kya_gate",
  "policy",
  "catalog_validation",
  "payment_setup",
  "provider_provisioning",
  "credential_storage",
  "service_record",
  "audit",
] as const;

/** The variables that Neon provides. */
export const ENV_NAMES = [
  "DATABASE_URL",
  "DATABASE_URL_UNPOOLED",
  "PGHOST",
  "PGUSER",
  "PGDATABASE",
  "PGPASSWORD",
] as const;

export interface BaselineService {
  readonly tenantId: string;
  readonly projectId: string;
  readonly operationId: string;
  readonly serviceId: string;
  readonly linkId: string;
  readonly service: string;
  readonly name: string;
  readonly region: string;
  readonly envNames: Readonly<Record<string, string>>;
  readonly environments: readonly string[];
  readonly at: Date;
  readonly status?: string;
  readonly resourceId?: string;
  readonly credential?: { readonly version: number; readonly rotatedAt: Date };
}

export interface BaselineOperation {
  readonly status: string;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly steps: readonly { readonly name: string; readonly status: string; readonly at: Date }[];
}

/** Returns Purser's response for a service and its operation. */
export function serviceResponse(service: BaselineService, operation: BaselineOperation | undefined) {
  const { serviceId, projectId, operationId, credential } = service;
  const place = { project_id: projectId, mode: "live" };
  return {
    service: {
      object: "service",
      service_id: serviceId,
      ...place,
      link_id: service.linkId,
      provider: "neon",
      service: service.service,
      name: service.name,
      plan: "free",
      status: service.status ?? "pending",
      region: service.region,
      config: {},
      environments: service.environments,
      env_prefix: null,
      env_names: Object.values(service.envNames).sort(),
      credential: {
        version: credential?.version ?? 0,
        type: "multiple",
        rotated_at: credential?.rotatedAt.toISOString() ?? null,
        previous_valid_until: null,
        expires_at: null,
      },
      pricing: { type: "free" },
      allowed_updates: ["launch", "scale"],
      deprovision_effect: "destroy",
      provider_resource_id: service.resourceId ?? null,
      dashboard_url_available: false,
      notification: null,
      pending_plan: null,
      agent_id: null,
      metadata: {},
      created_at: service.at.toISOString(),
      updated_at: service.at.toISOString(),
      removed_at: null,
    },
    operation: operation && {
      object: "operation",
      operation_id: operationId,
      ...place,
      type: "service.add",
      status: operation.status,
      subject: { type: "service", id: serviceId },
      service_id: serviceId,
      steps: operation.steps.map(({ name, status, at }) => ({
        name,
        status,
        at: at.toISOString(),
      })),
      error: null,
      expected_callback_seconds: null,
      poll_url: null,
      created_at: operation.created_at.toISOString(),
      updated_at: operation.updated_at.toISOString(),
    },
    expected_callback_seconds: null,
    poll_url: null,
    approval: null,
  };
}
