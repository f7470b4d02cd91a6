import type { Tx } from "../../db/database.ts";
import { AppError, invalidField } from "../../foundation/errors.ts";
import type { ProjectId } from "../../foundation/ids.ts";
import { invariant } from "../../foundation/invariant.ts";
import { mustBeOneOf } from "../../foundation/schema-violations.ts";
import { caselessName } from "../../foundation/variable-names.ts";
import type { TenantVault } from "../../vault/vault.ts";
import type { ProjectKey } from "../projects/queries.ts";
import { openServiceEnv } from "../services/service-env.ts";
import { type AssembledEnv, assembleEnv, type PulledVariable, type ServiceContribution } from "./assemble-env.ts";
import { readSealedBundle, type SealedBundle, type SealedServiceEnv, type SealedVariable } from "./bundle/queries.ts";
import { variableContext } from "./variables/variables.ts";

/**
 * A bundle up to this size is read in one query. For a larger bundle, a second query reads the contents after `onSize`
 * has accepted the size.
 */
const SMALL_BUNDLE_BYTES = 16 * 1024;

export interface OpenEnv {
  readonly key: ProjectKey;
  /** Defaults to `development`, or to the project's first environment if there is no `development`. */
  readonly environment: string | undefined;
  /** Where the request names the environment. */
  readonly pointer: string;
  /** The variables to return, or undefined for all. */
  readonly names: readonly string[] | undefined;
  /** Called with the approximate size of all values before any is decrypted. Throws to reject the request. */
  readonly onSize: (bytes: number) => void;
  /** Called before any value is decrypted. Throws if the caller must not read the project's variables. */
  readonly authorize: (tx: Tx) => Promise<void>;
}

/**
 * Decrypts the values of one environment. The caller must write an audit entry in the same transaction. Throws
 * `project_not_found`, `validation_error` for an unknown environment, and `conflict` if the project is suspended.
 */
export async function openEnv(
  tx: Tx,
  vault: TenantVault,
  command: OpenEnv,
): Promise<AssembledEnv & Pick<SealedBundle, "environment" | "envVersion">> {
  const { environment, envVersion, contents } = await readBundle(tx, command);
  const environmentKey = { projectId: command.key.projectId, environment };
  const requested = command.names && new Set(command.names.map(caselessName));
  const isRequested = (name: string) => requested?.has(caselessName(name)) ?? true;
  const assembled = assembleEnv({
    own: contents.variables
      .filter(({ name }) => isRequested(name))
      .map((variable) => openVariable(vault, environmentKey, variable)),
    services: contents.services
      .filter(({ envNames }) => Object.values(envNames).some(isRequested))
      .map((service) => openContribution(vault, service)),
    isRequested,
  });
  return { ...assembled, environment, envVersion };
}

async function readBundle(tx: Tx, { key, environment: requested, pointer, authorize, onSize }: OpenEnv) {
  const environment = requested ?? null;
  const read = (bytesMax: number) => readSealedBundle(tx, { ...key, environment, bytesMax });
  const measured = await read(SMALL_BUNDLE_BYTES);
  await authorize(tx);
  throwIfSuspended(measured);
  onSize(Number(measured.bytes));
  const bundle = measured.contents === null ? await read(Number.MAX_SAFE_INTEGER) : measured;
  throwIfUnknownEnvironment(bundle, environment, pointer);
  throwIfSuspended(bundle);
  const { contents } = bundle;
  invariant(contents !== null, "a read without a size limit returns the contents");
  return { ...bundle, contents };
}

/** A kill switch suspends a project to stop its secrets from leaving. */
function throwIfSuspended({ status }: SealedBundle): void {
  if (status !== "suspended") return;
  throw new AppError("conflict", {
    detail: "The project is suspended. Its environment can be pulled when it is active again.",
  });
}

function throwIfUnknownEnvironment({ environments }: SealedBundle, requested: string | null, pointer: string): void {
  if (requested === null || environments.includes(requested)) return;
  throw invalidField(pointer, "unknown", mustBeOneOf(environments));
}

function openVariable(
  vault: TenantVault,
  environmentKey: { readonly projectId: ProjectId; readonly environment: string },
  { name, version, valueSealed, sensitive, updatedAt }: SealedVariable,
): PulledVariable {
  const context = variableContext({ ...environmentKey, name, version });
  const value = vault.open(context, valueSealed).toString("utf8");
  return { name, value, sensitive, updatedAt, service: null };
}

function openContribution(vault: TenantVault, { valueSealed, ...service }: SealedServiceEnv): ServiceContribution {
  const { serviceId, credentialVersion: version } = service;
  return { ...service, env: openServiceEnv(vault, { serviceId, version, valueSealed }) };
}
