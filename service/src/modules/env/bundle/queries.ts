import { type Expression, type ExpressionBuilder, sql } from "kysely";
import { jsonBuildObject } from "kysely/helpers/postgres";
import { compileOnce } from "../../../db/compile-once.ts";
import type { Tx } from "../../../db/database.ts";
import type { Row, Schema } from "../../../db/schema.ts";
import { rowsWhere } from "../../../db/where.ts";
import { inScope, type Project, type ProjectKey, projectNotFound } from "../../projects/queries.ts";
import { BUNDLE_PARTS, CONTRIBUTING_STATUSES } from "../../services/queries.ts";

export interface SealedVariable {
  readonly name: string;
  readonly valueSealed: Buffer;
  readonly sensitive: boolean;
  readonly version: number;
  readonly updatedAt: Date;
}

/**
 * An env bundle: the encrypted variables of one environment of a project. A single statement reads the bundle, so its
 * contents always match `envVersion`.
 */
export interface SealedBundle extends Pick<Project, "environments" | "envVersion" | "status"> {
  /**
   * The requested environment. Defaults to `development`, or to the project's first environment if there is no
   * `development`.
   */
  readonly environment: string;
  /** The size of the names and encrypted values, as stored. */
  readonly bytes: bigint;
  /** Null if the bundle is larger than `BundleKey.bytesMax`. */
  readonly contents: {
    readonly variables: readonly SealedVariable[];
    /** Oldest first. */
    readonly services: readonly SealedServiceEnv[];
  } | null;
}

export interface BundleKey extends ProjectKey {
  /** Null selects the default environment. */
  readonly environment: string | null;
  /** Maximum size of the bundle in bytes. The contents of a larger bundle are not read. */
  readonly bytesMax: number;
}

/**
 * Reads one environment's variables. Must run in a transaction of the tenant, because row-level security hides the
 * variables from other tenants. Throws `project_not_found`.
 */
export async function readSealedBundle(tx: Tx, key: BundleKey): Promise<SealedBundle> {
  const [row] = await selectBundle(tx, key);
  if (row === undefined) return projectNotFound(key);
  const { variables, services, ...bundle } = row;
  if (variables === null || services === null) return { ...bundle, contents: null };
  return {
    ...bundle,
    contents: {
      variables: variables.map((variable) => ({
        ...variable,
        valueSealed: Buffer.from(variable.valueSealed, "hex"),
        updatedAt: new Date(variable.updatedAt),
      })),
      services: services.map(sealedServiceEnvOf),
    },
  };
}

/**
 * Selects the whole bundle in one statement, because this query runs often and each statement is a round trip to the
 * database.
 */
const selectBundle = compileOnce((tx, parameters: BundleKey) => {
  const { environment, bytesMax } = parameters;
  const ifNotLarger = <Value>(value: Expression<Value>) =>
    sql<Value | null>`case when size.bytes <= ${bytesMax}::bigint then ${value} end`;
  return rowsWhere(tx, "projects", { projectId: parameters.projectId })
    .innerJoinLateral(
      // `offset 0` prevents PostgreSQL from inlining this subquery and evaluating it once per use.
      sql<{ environment: string }>`(
        select coalesce(
          ${environment}::text,
          case when 'development' = any(projects.environments) then 'development' else projects.environments[1] end
        ) as environment offset 0
      )`.as("chosen"),
      (join) => join.onTrue(),
    )
    .innerJoinLateral(
      sql<{ bytes: bigint }>`(
        select coalesce(sum(part.bytes), 0)::bigint as bytes from ${BUNDLE_PARTS} as part
        where part.environment = chosen.environment
      )`.as("size"),
      (join) => join.onTrue(),
    )
    .select((eb) => [
      "projects.environments",
      "projects.envVersion",
      "projects.status",
      "chosen.environment",
      "size.bytes",
      ifNotLarger(sealedVariables(eb)).as("variables"),
      ifNotLarger(sealedServiceEnvs(eb)).as("services"),
    ])
    .where(inScope(parameters));
});

/** Replaces the null that `jsonAgg` returns if there are no rows. */
const EMPTY_ARRAY = sql<never[]>`'[]'`;

type OnChosen = ExpressionBuilder<Schema & { chosen: { environment: string } }, "projects" | "chosen">;

/**
 * Returns a subquery for the project's variables in the `chosen` environment. Bytes are encoded as hexadecimal and
 * times as ISO 8601, because JSON has neither type.
 */
function sealedVariables(eb: OnChosen) {
  return eb
    .selectFrom("projectVariables as variable")
    .select(({ fn, ref }) =>
      fn
        .coalesce(
          fn.jsonAgg(
            jsonBuildObject({
              name: ref("variable.name"),
              valueSealed: sql<string>`encode(variable.value_sealed, 'hex')`,
              sensitive: ref("variable.sensitive"),
              version: ref("variable.version"),
              updatedAt: sql<string>`variable.updated_at`,
            }),
          ),
          EMPTY_ARRAY,
        )
        .as("variables"),
    )
    .whereRef("variable.tenantId", "=", "projects.tenantId")
    .whereRef("variable.projectId", "=", "projects.projectId")
    .whereRef("variable.environment", "=", "chosen.environment")
    .$asScalar()
    .$notNull();
}

/** A service with its newest encrypted variables. */
export type SealedServiceEnv = Pick<
  Row<"services">,
  | "serviceId"
  | "service"
  | "provider"
  | "name"
  | "envPrefix"
  | "envNames"
  | "credentialVersion"
  | "resourceMissingSince"
> & {
  readonly valueSealed: Buffer;
  readonly storedAt: Date;
};

/** The service as the query returns it in JSON: bytes as hexadecimal, times as ISO 8601. */
type SealedServiceEnvJson = Omit<SealedServiceEnv, "valueSealed" | "storedAt" | "resourceMissingSince"> & {
  readonly resourceMissingSince: string | null;
  readonly valueSealed: string;
  readonly storedAt: string;
};

/** Returns a subquery for the services whose variables are in the `chosen` environment, oldest first. */
function sealedServiceEnvs(eb: OnChosen) {
  return eb
    .selectFrom("services as service")
    .innerJoin("serviceSecrets as secret", (join) =>
      join
        .onRef("secret.tenantId", "=", "service.tenantId")
        .onRef("secret.serviceId", "=", "service.serviceId")
        .onRef("secret.version", "=", "service.credentialVersion")
        .on("secret.kind", "=", "env"),
    )
    .select(({ fn, ref }) =>
      fn
        .coalesce(
          fn
            .jsonAgg(
              jsonBuildObject({
                serviceId: ref("service.serviceId"),
                service: ref("service.service"),
                provider: ref("service.provider"),
                resourceMissingSince: sql<string | null>`service.resource_missing_since`,
                name: ref("service.name"),
                envPrefix: ref("service.envPrefix"),
                envNames: ref("service.envNames"),
                credentialVersion: ref("service.credentialVersion"),
                valueSealed: sql<string>`encode(secret.value_sealed, 'hex')`,
                storedAt: sql<string>`secret.created_at`,
              }),
            )
            .orderBy("service.createdAt")
            .orderBy("service.serviceId"),
          EMPTY_ARRAY,
        )
        .as("services"),
    )
    .whereRef("service.tenantId", "=", "projects.tenantId")
    .whereRef("service.projectId", "=", "projects.projectId")
    .where("service.status", "in", [...CONTRIBUTING_STATUSES])
    .where(sql<boolean>`chosen.environment = any(service.environments)`)
    .$asScalar()
    .$notNull();
}

function sealedServiceEnvOf({
  valueSealed,
  storedAt,
  resourceMissingSince: since,
  ...service
}: SealedServiceEnvJson): SealedServiceEnv {
  return {
    ...service,
    resourceMissingSince: since === null ? null : new Date(since),
    valueSealed: Buffer.from(valueSealed, "hex"),
    storedAt: new Date(storedAt),
  };
}
