import { type Static, Type } from "typebox";
import { Count, Flag, ListOf, NamedObject, Nullable, OneOf, Timestamp } from "../../../foundation/wire/fields.ts";
import type { ServiceRotation } from "./rotation.ts";

const WARNINGS = [
  "downtime",
  "unchanged",
  "not_verified",
  "former_version_in_use",
  "former_credential_not_retired",
] as const;

/** A rotation of a service's credentials (docs/rules/rotation.md). */
export const ServiceRotationResource = NamedObject("ServiceRotation", {
  service_id: Type.String(),
  credential_version: Count("Version of the credential that env bundles contain."),
  mode: OneOf(
    ["overlap", "immediate"],
    "`overlap`: the former credential stays valid for the grace period. `immediate`: the provider ends it when it issues the new one.",
  ),
  status: OneOf(["completed", "pending"], "`pending` until the provider refuses the former credential."),
  previous_valid_until: Nullable(Timestamp, "When the former credential is retired. Null if it is not valid."),
  env_names: ListOf(Type.String(), "Names of the service's variables."),
  changed: Flag(
    "Whether env bundles contain a new credential. Purser has used it once, unless `warnings` contains `not_verified`. False as well if the provider returned the credential that the service had already.",
  ),
  warnings: ListOf(
    Type.Enum([...WARNINGS]),
    "`downtime`: clients fail until they pull the new credential. `unchanged`: the provider returned the same credential. `not_verified`: Purser has not used the new credential, because it cannot use credentials of this provider, or because the provider did not accept it after ending the former one. `former_version_in_use`: an API key has last pulled the former version (see `credential.pulled_by` of the service). `former_credential_not_retired`: the provider still accepts the former credential; repeat the request.",
  ),
  operation_id: Type.String(),
  poll_url: Nullable(Type.String(), "URL path to poll for the operation's status. Null if the operation has ended."),
});

export function presentServiceRotation({
  operation,
  pollUrl,
  service,
  rotation,
  isFormerInUse,
  isFormerStored,
}: ServiceRotation & { readonly pollUrl: string | null }): Static<typeof ServiceRotationResource> {
  const { mode, confirmsDowntime, changed, verified } = rotation;
  const isCurrent = rotation.credentialVersion === service.credentialVersion;
  const previousValidUntil = isCurrent ? service.credentialPreviousValidUntil : null;
  const isToRetire = isCurrent && isFormerStored;
  const isDone = ["succeeded", "needs_operator"].includes(operation.status) && !isToRetire;
  const isWarnedOf: Readonly<Record<(typeof WARNINGS)[number], boolean>> = {
    downtime: mode === "immediate" && !confirmsDowntime && changed !== false,
    unchanged: changed === false,
    not_verified: verified === false,
    former_version_in_use: changed === true && isFormerInUse,
    former_credential_not_retired: operation.status === "needs_operator" && isToRetire,
  };
  return {
    service_id: service.serviceId,
    credential_version: rotation.credentialVersion ?? service.credentialVersion,
    mode,
    status: isDone ? "completed" : "pending",
    previous_valid_until: previousValidUntil?.toISOString() ?? null,
    env_names: Object.values(service.envNames).sort(),
    changed: changed ?? false,
    warnings: WARNINGS.filter((warning) => isWarnedOf[warning]),
    operation_id: operation.operationId,
    poll_url: pollUrl,
  };
}
