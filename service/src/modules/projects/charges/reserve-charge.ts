import type { App } from "../../../app.ts";
import type { Tx } from "../../../db/database.ts";
import { AppError } from "../../../foundation/errors.ts";
import { newId } from "../../../foundation/ids.ts";
import { formatDecimal } from "../../../foundation/money.ts";
import type { Project } from "../queries.ts";
import type { Service } from "../services/queries.ts";
import { periodOf } from "../usage.ts";
import { insertCharge, sumCommitted } from "./queries.ts";

/**
 * Sets the service's first month aside in the budgets of the project and of its provider, or throws `cap_exceeded`. The
 * caller holds the project locked, so that nobody else reserves meanwhile: nothing is spent that was not reserved first.
 */
export async function reserveCharge(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  project: Project,
  service: Service,
): Promise<void> {
  if (service.priceCents === 0n) return;
  const occurredAt = clock.now();
  const place = {
    tenantId: project.tenantId,
    projectId: project.projectId,
    ...periodOf(occurredAt),
  };
  const { provider, priceCents } = service;
  refuseOver("The project's monthly cap", project.monthlyCapCents, {
    committedCents: await sumCommitted(tx, { ...place, provider: undefined }),
    priceCents,
  });
  const providerCap = project.providerCaps[provider];
  if (providerCap !== undefined) {
    refuseOver(`The project's cap for ${provider}`, BigInt(providerCap), {
      committedCents: await sumCommitted(tx, { ...place, provider }),
      priceCents,
    });
  }
  await insertCharge(tx, {
    tenantId: project.tenantId,
    chargeId: newId("ch"),
    projectId: project.projectId,
    mode: project.mode,
    serviceId: service.serviceId,
    provider,
    type: "subscription",
    description: `${service.service}, plan ${service.plan}, first month`,
    amountCents: priceCents,
    currency: "usd",
    status: "reserved",
    agentId: service.agentId,
    occurredAt,
  });
}

function refuseOver(
  cap: string,
  capCents: bigint,
  { committedCents, priceCents }: { readonly committedCents: bigint; readonly priceCents: bigint },
): void {
  const left = capCents - committedCents;
  if (priceCents <= left) return;
  const detail =
    `${cap} of ${formatDecimal(capCents, 2)} USD leaves ${formatDecimal(left > 0n ? left : 0n, 2)}, ` +
    `and this costs ${formatDecimal(priceCents, 2)} a month. Raise the cap, or remove something.`;
  throw new AppError("cap_exceeded", { detail });
}
