import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import type { Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import { AppError } from "../../foundation/errors.ts";
import { newId } from "../../foundation/ids.ts";
import { usdMicros } from "../../foundation/money/usd-micros.ts";
import { formatDecimal } from "../../foundation/money.ts";
import type { Settings } from "../../foundation/settings.ts";
import type { CapBehavior } from "../../foundation/vocabulary.ts";
import type { SaveResponse } from "../../idempotency/claim.ts";
import { assertNotRevoked } from "../../revocations/assert-not-revoked.ts";
import { bindPolicy } from "../policies/bind-policy.ts";
import { nameKeyOf, slugOf, throwIfNameTaken } from "./project-name.ts";
import { countProjectsLocked, type ProjectOverview, projectRows } from "./queries.ts";
import { recordProjectChange } from "./record-project-change.ts";
import { periodOf } from "./usage.ts";

export interface CreateProject {
  readonly actor: Actor;
  readonly name: string;
  readonly description: string | null;
  readonly monthlyCapCents: bigint;
  readonly capBehavior: CapBehavior;
  /** Cents by provider ID. */
  readonly providerCaps: Readonly<Record<string, bigint>>;
  readonly environments: readonly string[];
  /** UUIDs in lowercase. */
  readonly agentIds: readonly string[];
  readonly policyId: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

/**
 * Creates a project in the actor's tenant and mode. Throws `already_exists` if a project has the same name, ignoring
 * case, `conflict` if the tenant has reached its maximum number of projects or is being killed, and
 * `validation_error` if there is no such policy.
 */
export async function createProject(
  app: Pick<App, "db" | "clock"> & { readonly settings: Pick<Settings, "projectsMax"> },
  command: CreateProject,
  saveResponse: SaveResponse<ProjectOverview>,
): Promise<ProjectOverview> {
  const { actor, name } = command;
  const at = app.clock.now();
  return throwIfNameTaken(() =>
    withTransaction(app.db, actor.tenantId, async (tx) => {
      await assertNotRevoked(tx, actor);
      await throwIfTooManyProjects(tx, actor, app.settings.projectsMax);
      if (command.policyId !== null || command.agentIds.length > 0) {
        await bindPolicy(tx, actor, command.policyId);
      }
      const row = await projectRows.insertAndGet(tx, { ...rowOf(command), createdAt: at, updatedAt: at });
      const usage = {
        period: periodOf(at),
        spentMicros: usdMicros(0n),
        reservedMicros: usdMicros(0n),
      };
      const project = { ...row, usage, billing: null, links: [], services: [] };
      const monthlyCap = formatDecimal(command.monthlyCapCents, 2);
      await recordProjectChange(tx, actor, {
        action: "project.created",
        project,
        facts: { name, monthly_cap: monthlyCap, currency: row.currency },
        occurredAt: at,
      });
      await saveResponse(tx, project);
      return project;
    }),
  );
}

async function throwIfTooManyProjects(tx: Tx, { tenantId, mode }: Actor, projectsMax: number | null) {
  if (projectsMax === null) return;
  if ((await countProjectsLocked(tx, { tenantId, mode })) < projectsMax) return;
  const detail = `This account has reached its limit of ${projectsMax} ${mode} projects. Delete a project first.`;
  throw new AppError("conflict", { detail });
}

function rowOf({ actor, providerCaps, metadata, name, ...fields }: CreateProject) {
  return {
    ...fields,
    tenantId: actor.tenantId,
    mode: actor.mode,
    projectId: newId("proj"),
    name,
    nameKey: nameKeyOf(name),
    slug: slugOf(name),
    status: "active" as const,
    currency: "usd" as const,
    providerCaps: JSON.stringify(centsAsText(providerCaps)),
    metadata: JSON.stringify(metadata),
  };
}

function centsAsText(caps: Readonly<Record<string, bigint>>): Record<string, string> {
  return Object.fromEntries(Object.entries(caps).map(([provider, cents]) => [provider, `${cents}`]));
}
