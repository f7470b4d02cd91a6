import type { App } from "../../app.ts";
import { type Actor, appendAuditEntry } from "../../audit/append.ts";
import { withTransaction } from "../../db/transaction.ts";
import { AppError } from "../../foundation/errors.ts";
import type { ServiceId } from "../../foundation/ids.ts";
import type { SaveResponse } from "../../idempotency/claim.ts";
import { VendorError } from "../../ports/vendor-error.ts";
import { openProviderAccess } from "../links/open-provider-access.ts";
import type { ProjectKey } from "../projects/queries.ts";
import { getService } from "./services.ts";

type DashboardApp = Pick<App, "db" | "clock" | "log" | "keyEncryptionKey" | "vaults" | "providers">;

/** A secret URL: anyone who has it can use it, once. */
export interface OpenedDashboard {
  readonly url: string;
  readonly expiresAt: Date | null;
}

/** Returns a URL that opens an active service in its provider's dashboard. The URL is not stored. */
export async function openServiceDashboard(
  app: DashboardApp,
  { actor, key, serviceId }: { readonly actor: Actor; readonly key: ProjectKey; readonly serviceId: ServiceId },
  saveResponse: SaveResponse<OpenedDashboard>,
): Promise<OpenedDashboard> {
  const { service } = await getService(app, { key, serviceId });
  const open = app.providers.get(service.provider)?.openDashboard;
  const { providerResourceId: resourceId } = service;
  if (open === undefined || resourceId === null || service.status !== "active") {
    throw new AppError("not_found", { detail: "This service has no dashboard URL." });
  }
  const opened = await openProviderAccess(app, service)
    .then((access) => open(access, resourceId))
    .catch((error: unknown) => {
      throw error instanceof VendorError
        ? new AppError("provider_unavailable", { internal: error.message, cause: error })
        : error;
    });
  await withTransaction(app.db, service.tenantId, async (tx) => {
    await appendAuditEntry(tx, actor, {
      action: "service.dashboard_opened",
      subject: { type: "service", id: serviceId },
      facts: { project_id: service.projectId, provider: service.provider },
      occurredAt: app.clock.now(),
    });
    await saveResponse(tx, opened);
  });
  return opened;
}
