import type { Tx } from "../../../../db/database.ts";
import type { Json } from "../../../../foundation/canonical-json.ts";
import type {
  LinkId,
  OperationId,
  ProjectId,
  ServiceId,
  TenantId,
} from "../../../../foundation/ids.ts";
import { invariant } from "../../../../foundation/invariant.ts";
import type { Mode } from "../../../../foundation/vocabulary.ts";
import type { OperationRow } from "../../../../operations/queries.ts";
import { findBilling } from "../../billing/queries.ts";
import { getProjectRow } from "../../queries.ts";
import { findOfferedPlan } from "../find-offered-plan.ts";
import { getServiceById, type Service } from "../queries.ts";
import { resourceNameOf } from "../resource-name.ts";

/** The version of a service's first credential. */
export const FIRST_CREDENTIAL = 1;

/** What the saga knows of the service that it adds: ids and words, no secret. */
export interface ProvisioningContext {
  readonly tenantId: TenantId;
  readonly operationId: OperationId;
  readonly serviceId: ServiceId;
  readonly projectId: ProjectId;
  readonly mode: Mode;
  readonly agentId: string | null;
  readonly provider: string;
  /** `provider/slug`, as the catalog names it. */
  readonly service: string;
  readonly linkId: LinkId;
  readonly plan: string;
  readonly region: string;
  readonly config: Readonly<Record<string, Json>>;
  /** By its own id, which the provider may be asked for again and again. */
  readonly resourceName: string;
  /** A resource that was there before us. */
  readonly existingResourceId: string | null;
  /** What the service has at its provider, once that is known. */
  readonly resourceId: string | null;
  /** Null: the plan asks for no payment method. */
  readonly payment: KnownPayment | null;
  /** The monthly price in whole cents, as decimal digits: JSON has no bigint. */
  readonly priceCents: string;
  /** The provider's names of what it must give, to their names in the project. */
  readonly envNames: Readonly<Record<string, string>>;
}

interface KnownPayment {
  readonly projectName: string;
  readonly customerId: string | null;
  /** A setup that waited for its owner when it was last looked at. */
  readonly openSetupIntentId: string | null;
}

export async function loadProvisioningContext(
  tx: Tx,
  { tenantId, operationId, serviceId }: OperationRow,
): Promise<ProvisioningContext> {
  invariant(serviceId !== null, "an operation that adds a service names it");
  const service = await getServiceById(tx, { tenantId, serviceId });
  const { projectId, mode, provider, plan, region, config, agentId, linkId } = service;
  const needsPayment = findOfferedPlan(service)?.plan.payment_method_required ?? false;
  return {
    tenantId,
    operationId,
    serviceId,
    projectId,
    mode,
    agentId,
    provider,
    service: service.service,
    linkId,
    plan,
    region,
    config,
    resourceName: resourceNameOf(service),
    existingResourceId: service.adopted ? service.providerResourceId : null,
    resourceId: service.providerResourceId,
    payment: needsPayment ? await readPayment(tx, service) : null,
    priceCents: String(service.priceCents),
    envNames: service.envNames,
  };
}

async function readPayment(tx: Tx, service: Service): Promise<KnownPayment> {
  const project = await getProjectRow(tx, { ...service, agentIds: [], projectIds: [] });
  const billing = await findBilling(tx, project);
  return {
    projectName: project.name,
    customerId: billing?.customerId ?? null,
    openSetupIntentId: billing?.status === "requires_action" ? billing.setupIntentId : null,
  };
}
