import type { App } from "../../app.ts";
import type { Actor } from "../../audit/append.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { Json } from "../../foundation/canonical-json.ts";
import { invalidField } from "../../foundation/errors.ts";
import { formatDecimal } from "../../foundation/money.ts";
import type { CapBehavior } from "../../foundation/vocabulary.ts";
import type { SaveResponse } from "../../idempotency/claim.ts";
import { nameKeyOf, slugOf } from "./project-name.ts";
import {
  getProjectOverview,
  lockProject,
  type Project,
  type ProjectKey,
  type ProjectOverview,
  updateProjectRow,
} from "./queries.ts";
import { recordProjectChange } from "./record-project-change.ts";
import { refuseTakenName } from "./refuse-taken-name.ts";

const METADATA_KEYS_MAX = 50;

/** What may be changed of a project. Undefined keeps, null clears; the two maps merge, and a null in them removes its key. */
export interface ProjectChange {
  readonly name?: string | undefined;
  readonly description?: string | null | undefined;
  readonly monthlyCapCents?: bigint | undefined;
  readonly capBehavior?: CapBehavior | undefined;
  /** Cents by provider. */
  readonly providerCaps?: Readonly<Record<string, bigint | null>> | null | undefined;
  /** UUIDs in lower case. */
  readonly agentIds?: readonly string[] | null | undefined;
  readonly policyId?: null | undefined;
  readonly metadata?: Readonly<Record<string, string | null>> | null | undefined;
}

export interface UpdateProject {
  readonly actor: Actor;
  readonly key: ProjectKey;
  readonly change: ProjectChange;
}

/**
 * Changes a project. A cap below what is spent already is taken, and blocks from then on. A change that leaves everything
 * as it was writes nothing. Throws `already_exists` for a name that is another project's.
 */
export async function updateProject(
  app: Pick<App, "db" | "clock">,
  { actor, key, change }: UpdateProject,
  saveResponse: SaveResponse<ProjectOverview>,
): Promise<ProjectOverview> {
  const at = app.clock.now();
  return refuseTakenName(() =>
    withTransaction(app.db, key.tenantId, async (tx) => {
      const before = await lockProject(tx, key);
      const after = merged(before, change);
      const fields = changedFields(before, after);
      if (fields.length > 0)
        await updateProjectRow(tx, before, { ...columnsOf(after), updatedAt: at });

      const project = await getProjectOverview(tx, key, at);
      if (fields.length > 0) {
        await recordProjectChange(tx, actor, {
          action: "project.updated",
          project,
          facts: factsOf(before, project, fields),
          occurredAt: at,
        });
      }
      await saveResponse(tx, project);
      return project;
    }),
  );
}

type Changeable = Pick<
  Project,
  | "name"
  | "description"
  | "monthlyCapCents"
  | "capBehavior"
  | "providerCaps"
  | "agentIds"
  | "policyId"
  | "metadata"
>;

/** The wire's names, as the audit trail and its readers know them. */
const FIELD_NAMES = {
  name: "name",
  description: "description",
  monthlyCapCents: "monthly_cap",
  capBehavior: "cap_behavior",
  providerCaps: "provider_caps",
  agentIds: "agent_ids",
  policyId: "policy_id",
  metadata: "metadata",
} as const satisfies Record<keyof Changeable, string>;

function merged(before: Project, change: ProjectChange): Changeable {
  return {
    name: change.name ?? before.name,
    description: keptUnlessGiven(before.description, change.description),
    monthlyCapCents: change.monthlyCapCents ?? before.monthlyCapCents,
    capBehavior: change.capBehavior ?? before.capBehavior,
    providerCaps: mergedMap(before.providerCaps, change.providerCaps, String),
    agentIds: keptUnlessGiven(before.agentIds, change.agentIds) ?? [],
    policyId: keptUnlessGiven(before.policyId, change.policyId),
    metadata: mergedMetadata(before, change),
  };
}

function keptUnlessGiven<Value>(before: Value, given: Value | null | undefined): Value | null {
  return given === undefined ? before : given;
}

function mergedMap<Value>(
  before: Readonly<Record<string, string>>,
  given: Readonly<Record<string, Value | null>> | null | undefined,
  toText: (value: Value) => string,
): Record<string, string> {
  if (given === null) return {};
  const result = new Map(Object.entries(before));
  for (const [key, value] of Object.entries(given ?? {})) {
    if (value === null) result.delete(key);
    else result.set(key, toText(value));
  }
  return Object.fromEntries(result);
}

function mergedMetadata({ metadata }: Project, change: ProjectChange): Record<string, string> {
  const result = mergedMap(metadata, change.metadata, (text) => text);
  if (Object.keys(result).length > METADATA_KEYS_MAX) {
    throw invalidField(
      "/body/metadata",
      "maxProperties",
      `would leave more than ${METADATA_KEYS_MAX} keys`,
    );
  }
  return result;
}

function changedFields(before: Changeable, after: Changeable): (keyof Changeable)[] {
  const fields = Object.keys(FIELD_NAMES) as (keyof Changeable)[];
  return fields.filter((field) => comparable(before[field]) !== comparable(after[field]));
}

/** Maps come from the database with their keys in its own order, so order is no difference. */
function comparable(value: Changeable[keyof Changeable]): string {
  if (typeof value === "bigint") return `${value}`;
  const isMap = typeof value === "object" && value !== null && !Array.isArray(value);
  return JSON.stringify(isMap ? Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)) : value);
}

function columnsOf({ providerCaps, metadata, name, ...fields }: Changeable) {
  return {
    ...fields,
    name,
    nameKey: nameKeyOf(name),
    slug: slugOf(name),
    providerCaps: JSON.stringify(providerCaps),
    metadata: JSON.stringify(metadata),
  };
}

function factsOf(before: Project, after: Project, fields: readonly (keyof Changeable)[]) {
  const facts: Record<string, Json> = { fields: fields.map((field) => FIELD_NAMES[field]) };
  if (!fields.includes("monthlyCapCents")) return facts;
  return {
    ...facts,
    monthly_cap: formatDecimal(after.monthlyCapCents, 2),
    previous_monthly_cap: formatDecimal(before.monthlyCapCents, 2),
  };
}
