import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import { type EntryPage, listEntries } from "../../audit/entries/entries.ts";
import type { Tx } from "../../db/database.ts";
import { isUniqueViolation } from "../../db/errors.ts";
import { type ListedPage, readPage } from "../../db/pages.ts";
import { withTransaction } from "../../db/transaction.ts";
import { appendEvent, recordEntryAndEvent } from "../../events/events.ts";
import type { Json } from "../../foundation/canonical-json.ts";
import { AppError } from "../../foundation/errors.ts";
import { newId, type OperationId } from "../../foundation/ids.ts";
import { formatDecimal, usdMicros } from "../../foundation/money.ts";
import type { Settings } from "../../foundation/settings.ts";
import type { TenantScope } from "../../foundation/tenant-scope.ts";
import { withoutIgnorable } from "../../foundation/text.ts";
import type { CapBehavior } from "../../foundation/vocabulary.ts";
import type { SaveResponse } from "../../idempotency/claim.ts";
import { findOperation, type Operation } from "../../operations/queries.ts";
import { assertNotRevoked } from "../../revocations/revocations.ts";
import { bindPolicy } from "../policies/bind-policy.ts";
import { presentProject } from "./project-resource.ts";
import {
  countProjectsLocked,
  getProjectOverview,
  getProjectRow,
  listProjectOverviews,
  type Project,
  type ProjectKey,
  type ProjectOverview,
  type ProjectPosition,
  projectRows,
} from "./queries.ts";
import { periodOf } from "./usage.ts";

const SLUG_LENGTH_MAX = 63;

/**
 * Converts the name to lowercase and to one Unicode encoding of accents (NFC), without characters that are not
 * displayed. Project names must be unique in this form.
 */
export function nameKeyOf(name: string): string {
  return withoutIgnorable(name).normalize("NFC").toLowerCase();
}

/** Converts the name to a DNS label: `Müller & Söhne` becomes `muller-sohne`. The result is not unique. */
export function slugOf(name: string): string {
  const words = name
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .match(/[a-z0-9]+/g);
  const slug = (words ?? []).join("-").slice(0, SLUG_LENGTH_MAX).replace(/-$/, "");
  return slug === "" ? "project" : slug;
}

/**
 * Runs `change`, which stores a project's name. Throws `already_exists` if the unique index rejects the name. Checking
 * the name first would not be enough, because a concurrent request could take the name after the check.
 */
export async function throwIfNameTaken<Result>(change: () => Promise<Result>): Promise<Result> {
  try {
    return await change();
  } catch (thrown) {
    if (!isUniqueViolation(thrown, "project_name_taken")) throw thrown;
    throw new AppError("already_exists", {
      detail: "A project with this name already exists. Choose a different name.",
      errors: [{ pointer: "/body/name", code: "taken", detail: "is already the name of another project" }],
    });
  }
}

interface RecordProjectChange {
  readonly action: "project.created" | "project.updated" | "project.deleted";
  readonly project: ProjectOverview;
  readonly facts: Readonly<Record<string, Json>>;
  readonly occurredAt: Date;
}

export async function recordProjectChange(
  tx: Tx,
  actor: Actor,
  { project, ...entry }: RecordProjectChange,
): Promise<void> {
  const subject = { type: "project", id: project.projectId };
  await recordEntryAndEvent(tx, actor, { ...entry, subject }, () => presentProject(project));
}

interface EnvChange {
  readonly change: "set" | "deleted";
  readonly environments: readonly string[];
  readonly names: readonly string[];
  readonly occurredAt: Date;
  /** Undefined if the change leaves that of the project as it is. */
  readonly updatedAt?: Date;
}

/** Increments the version of the project's environments, and writes the event. The caller must have locked the project. */
export async function recordEnvChange(
  tx: Tx,
  actor: Actor,
  project: Project,
  { change, environments, names, occurredAt, ...columns }: EnvChange,
): Promise<void> {
  const version = project.envVersion + 1;
  await projectRows.update(tx, project, { envVersion: version, ...columns });
  await appendEvent(tx, actor, {
    type: "env.changed",
    subject: { type: "project", id: project.projectId },
    data: { project_id: project.projectId, version, environments: [...environments], names: [...names], change },
    occurredAt,
  });
}

interface CreateProject {
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

/** Returns the project with its usage in the current month. Throws `project_not_found`. */
export async function getProject(app: Pick<App, "db" | "clock">, key: ProjectKey): Promise<ProjectOverview> {
  return getProjectOverview(app.db, key, app.clock.now());
}

interface ListProjects {
  readonly scope: TenantScope;
  /** The last project of the previous page, which can have been deleted since. Undefined to count pages. */
  readonly after: ProjectPosition | undefined;
  /** Starts at 1, after `after`. */
  readonly page: number;
  readonly perPage: number;
}

/**
 * Returns one page of the projects in scope, newest first. There is no total, because counting would read every row.
 */
export async function listProjects(
  app: Pick<App, "db" | "clock">,
  { scope, after, page, perPage }: ListProjects,
): Promise<ListedPage<ProjectOverview>> {
  const offset = (page - 1) * perPage;
  const now = app.clock.now();
  return readPage(perPage, (limit) => listProjectOverviews(app.db, scope, { now, after, limit, offset }));
}

/** Returns one of the project's operations with its steps. Throws `project_not_found` or `operation_not_found`. */
export async function getProjectOperation(
  { db }: Pick<App, "db">,
  { key, operationId }: { readonly key: ProjectKey; readonly operationId: OperationId },
): Promise<Operation> {
  const { projectId } = await getProjectRow(db, key);
  const operation = await findOperation(db, { ...key, operationId });
  if (operation?.projectId !== projectId) {
    const internal = `no operation ${operationId} of this project`;
    throw new AppError("operation_not_found", { internal });
  }
  return operation;
}

interface ListProjectAudit {
  readonly key: ProjectKey;
  /** The last sequence number on the previous page, or undefined for the first page. */
  readonly beforeSequence: number | undefined;
  readonly limit: number;
}

/** Returns one page of the tenant's audit entries about the project, newest first. Throws `project_not_found`. */
export async function listProjectAudit(
  app: Pick<App, "db">,
  { key, beforeSequence, limit }: ListProjectAudit,
): Promise<EntryPage> {
  const { tenantId, projectId } = await getProjectRow(app.db, key);
  return listEntries(app, {
    key: { tenantId, chain: "tenant" },
    filter: { projectId },
    beforeSequence,
    limit,
  });
}
