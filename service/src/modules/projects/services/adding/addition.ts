import type { Tx } from "../../../../db/database.ts";
import type { Json } from "../../../../foundation/canonical-json.ts";
import type { LinkId, OperationId, ProjectId, ServiceId } from "../../../../foundation/ids.ts";
import { invariant } from "../../../../foundation/invariant.ts";
import type { Mode } from "../../../../foundation/vocabulary.ts";
import { getOperationById, type OperationKey } from "../../../../operations/queries.ts";
import { getProjectRow } from "../../queries.ts";
import { reservedCents } from "../choose-offer.ts";
import { findOffer } from "../find-offer.ts";
import { getServiceById } from "../queries.ts";
import { resourceNameOf } from "../resource-name.ts";

/** What the saga knows of the service that it adds: ids and words, no secret. */
export interface Addition {
  readonly operationId: OperationId;
  readonly serviceId: ServiceId;
  readonly projectId: ProjectId;
  readonly projectName: string;
  readonly mode: Mode;
  readonly agentId: string | null;
  readonly provider: string;
  readonly linkId: LinkId;
  readonly plan: string;
  readonly region: string;
  readonly config: Readonly<Record<string, Json>>;
  /** By its own id, which the provider may be asked for again and again. */
  readonly resourceName: string;
  /** A resource that was there before us. */
  readonly existingResourceId: string | null;
  /** Whether the plan asks for a payment method, and whether something of the budget is set aside for it. */
  readonly needsPayment: boolean;
  readonly reserves: boolean;
  /** The provider's names of what it must give, to their names in the project. */
  readonly envNames: Readonly<Record<string, string>>;
}

export async function loadAddition(tx: Tx, key: OperationKey): Promise<Addition> {
  const { operationId, serviceId } = await getOperationById(tx, key);
  invariant(serviceId !== null, "an operation that adds a service names it");
  const service = await getServiceById(tx, { tenantId: key.tenantId, serviceId });
  const project = await getProjectRow(tx, { ...service, agentIds: [], projectIds: [] });
  const offer = findOffer(service);
  const { projectId, mode, provider, plan, region, config, agentId, linkId } = service;
  return {
    operationId,
    serviceId,
    projectId,
    projectName: project.name,
    mode,
    agentId,
    provider,
    linkId,
    plan,
    region,
    config,
    resourceName: resourceNameOf(service),
    existingResourceId: service.adopted ? service.providerResourceId : null,
    needsPayment: offer?.plan.payment_method_required ?? false,
    reserves: offer !== undefined && reservedCents(offer.plan) > 0n,
    envNames: service.envNames,
  };
}
