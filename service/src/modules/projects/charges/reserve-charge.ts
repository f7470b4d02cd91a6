import type { App } from "../../../app.ts";
import type { Actor } from "../../../audit/append.ts";
import { reserveBudgets } from "../../../budgets/reserve-budgets.ts";
import type { Tx } from "../../../db/database.ts";
import { newId } from "../../../foundation/ids.ts";
import { invariant } from "../../../foundation/invariant.ts";
import { formatUsdMicros, usdMicrosFromCents } from "../../../foundation/money/usd-micros.ts";
import type { Project } from "../queries.ts";
import { periodOf } from "../usage.ts";
import { capExceeded } from "./cap-exceeded.ts";
import { chargeOf, openMonths } from "./open-months.ts";
import { projectCap, providerCap } from "./project-budgets.ts";
import { insertCharge } from "./queries.ts";
import { recordCapAlerts, recordCapBlocked } from "./record-cap-change.ts";

/**
 * Reserves a new service's monthly cost against the caps of the project and of the provider. Throws `cap_exceeded` if
 * either cap would be exceeded, whatever the project's `cap_behavior` is. The caller must have locked the project, and
 * must commit the transaction even if this function throws `cap_exceeded`, because it has written an event.
 */
export async function reserveCharge(
  tx: Tx,
  app: Pick<App, "clock">,
  actor: Actor,
  {
    project,
    service,
    amountCents,
  }: {
    readonly project: Project;
    readonly service: Parameters<typeof chargeOf>[0];
    readonly amountCents: bigint;
  },
): Promise<void> {
  if (amountCents === 0n) return;
  const at = await openMonths(tx, app, actor, project);
  const occurredAt = app.clock.now();
  const chargeId = newId("ch");
  const reservationId = newId("rsv");
  const amountMicros = usdMicrosFromCents(amountCents);
  const outcome = await reserveBudgets(tx, {
    reservationId,
    mode: project.mode,
    causeType: "charge",
    causeId: chargeId,
    amountMicros,
    budgets: [projectCap(project), providerCap(project, service.provider)],
    at,
    recordedAt: occurredAt,
  });
  invariant(outcome.outcome !== "not_opened", "the month has just been opened");
  if (outcome.outcome === "refused") {
    const cause = { type: "service", id: service.serviceId };
    await recordCapBlocked(tx, actor, project, {
      refusal: outcome,
      amountMicros,
      cause,
      at: occurredAt,
    });
    const price = formatUsdMicros(amountMicros);
    const advice = `This plan costs ${price} USD per month. Raise the cap, or remove a service.`;
    throw capExceeded(outcome, advice);
  }
  const month = periodOf(at);
  const charge = chargeOf(service, month);
  await insertCharge(tx, { ...charge, chargeId, reservationId, amountCents, occurredAt });
  await recordCapAlerts(tx, actor, project, { alerts: outcome.alerts, at: occurredAt });
}
