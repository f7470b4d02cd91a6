import { type Expression, sql } from "kysely";
import { compileOnce } from "../../../db/compile-once.ts";
import type { Tx } from "../../../db/database.ts";
import type { Row } from "../../../db/schema.ts";
import { selectWhere } from "../../../db/where.ts";
import { inScope, type Project, type ProjectKey, projectNotFound } from "../../projects/queries.ts";
import { BUNDLE_PARTS, SERVICE_STATUSES_IN_BUNDLE } from "../../services/queries.ts";

export type SealedVariable = Pick<
  Row<"projectVariables">,
  "name" | "valueSealed" | "sensitive" | "version" | "updatedAt"
>;

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
  return selectWhere(tx, "projects", { projectId: parameters.projectId })
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
    .select([
      "projects.environments",
      "projects.envVersion",
      "projects.status",
      "chosen.environment",
      "size.bytes",
      ifNotLarger(SEALED_VARIABLES).as("variables"),
      ifNotLarger(SEALED_SERVICE_ENVS).as("services"),
    ])
    .where(inScope(parameters));
});

/** The project's variables in the `chosen` environment. JSON has neither bytes nor times: bytes are hexadecimal. */
const SEALED_VARIABLES = sql<readonly InJson<SealedVariable>[]>`(
  select coalesce(json_agg(json_build_object(
    'name', name, 'valueSealed', encode(value_sealed, 'hex'), 'sensitive', sensitive, 'version', version,
    'updatedAt', variable.updated_at)), '[]')
  from project_variables as variable
  where variable.tenant_id = projects.tenant_id and variable.project_id = projects.project_id
    and variable.environment = chosen.environment)`;

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

/** A row as the query returns it in JSON: bytes as hexadecimal, times as ISO 8601. */
type InJson<Value> = { readonly [Name in keyof Value]: JsonOf<Value[Name]> };
type JsonOf<Value> = Value extends Buffer | Date ? string : Value;

/** The services whose variables are in the `chosen` environment, oldest first. */
const SEALED_SERVICE_ENVS = sql<readonly InJson<SealedServiceEnv>[]>`(
  select coalesce(json_agg(json_build_object(
    'serviceId', service.service_id, 'service', service.service, 'provider', provider,
    'resourceMissingSince', resource_missing_since, 'name', service.name, 'envPrefix', env_prefix, 'envNames', env_names,
    'credentialVersion', credential_version, 'valueSealed', encode(value_sealed, 'hex'), 'storedAt', secret.created_at)
    order by service.created_at, service.service_id), '[]')
  from services as service
  join service_secrets as secret on secret.tenant_id = service.tenant_id and secret.service_id = service.service_id
    and secret.version = service.credential_version and secret.kind = 'env'
  where service.tenant_id = projects.tenant_id and service.project_id = projects.project_id
    and service.status = any(${[...SERVICE_STATUSES_IN_BUNDLE]}::text[]) and chosen.environment = any(service.environments))`;

function sealedServiceEnvOf({
  valueSealed,
  storedAt,
  resourceMissingSince: since,
  ...service
}: InJson<SealedServiceEnv>): SealedServiceEnv {
  return {
    ...service,
    resourceMissingSince: since === null ? null : new Date(since),
    valueSealed: Buffer.from(valueSealed, "hex"),
    storedAt: new Date(storedAt),
  };
}
