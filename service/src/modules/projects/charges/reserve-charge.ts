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
 * Reserves an amount against the caps of the project and of the provider. Throws `cap_exceeded` if either cap would be
 * exceeded, whatever the project's `cap_behavior` is. The caller must have locked the project: otherwise two concurrent
 * reservations could together exceed a cap.
 */
export async function reserveCharge(
  tx: Tx,
  { clock }: Pick<App, "clock">,
  {
    project,
    service,
    amountCents,
  }: {
    readonly project: Project;
    readonly service: Pick<Service, "serviceId" | "provider" | "agentId" | "service" | "plan">;
    readonly amountCents: bigint;
  },
): Promise<void> {
  if (amountCents === 0n) return;
  const occurredAt = clock.now();
  const { tenantId, projectId, mode, monthlyCapCents, providerCaps } = project;
  const { serviceId, provider, agentId } = service;
  const filter = { tenantId, projectId, ...periodOf(occurredAt) };
  const committedCents = await sumCommitted(tx, { ...filter, provider: undefined });
  throwIfOver("The project's monthly cap", monthlyCapCents, { committedCents, amountCents });
  const providerCap = providerCaps[provider];
  if (providerCap !== undefined) {
    const committedCents = await sumCommitted(tx, { ...filter, provider });
    const cap = `The project's cap for ${provider}`;
    throwIfOver(cap, BigInt(providerCap), { committedCents, amountCents });
  }
  await insertCharge(tx, {
    tenantId,
    chargeId: newId("ch"),
    projectId,
    mode,
    serviceId,
    provider,
    type: "subscription",
    description: `${service.service}, plan ${service.plan}, first month`,
    amountCents,
    currency: "usd",
    status: "reserved",
    agentId,
    occurredAt,
  });
}

function throwIfOver(
  cap: string,
  capCents: bigint,
  {
    committedCents,
    amountCents,
  }: { readonly committedCents: bigint; readonly amountCents: bigint },
): void {
  const left = capCents - committedCents;
  if (amountCents <= left) return;
  const detail =
    `${cap} is ${formatDecimal(capCents, 2)} USD, of which ${formatDecimal(left > 0n ? left : 0n, 2)} USD remain. ` +
    `This plan costs ${formatDecimal(amountCents, 2)} USD per month. Raise the cap, or remove a service.`;
  throw new AppError("cap_exceeded", { detail });
}
