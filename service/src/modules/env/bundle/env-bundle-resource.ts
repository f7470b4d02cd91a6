import { type Static, Type } from "typebox";
import { Count, Flag, ListOf, NamedObject, Nullable, Text, Timestamp } from "../../../foundation/wire/fields.ts";
import { toWire } from "../../../foundation/wire/to-wire.ts";
import type { PulledEnv } from "../pull-env.ts";

export const EnvBundleResource = NamedObject("EnvBundle", {
  object: Type.Literal("env_bundle"),
  project_id: Type.String(),
  environment: Type.String(),
  version: Count("Number of times that the project's variables have been changed, in any environment."),
  env: Nullable(Type.Record(Type.String(), Type.String()), "Values by variable name. `null` if `names_only` is true."),
  variables: ListOf(
    Type.Object({
      name: Type.String(),
      source: Type.Enum(["project", "service"]),
      service_id: Type.Optional(
        Text("The id of the service that provides the variable. Only included if `source` is `service`."),
      ),
      credential_version: Type.Optional(
        Count("The version of the service's credential. Only included if `source` is `service`."),
      ),
      sensitive: Flag("Whether the value is a secret that tools should not display."),
      updated_at: Timestamp,
    }),
    "The variables of the bundle, sorted by name.",
  ),
  fingerprint: Text(
    "SHA-256 of the canonical JSON (RFC 8785) of an object with the names and values of the returned variables, in lowercase hexadecimal. Includes the values even if `names_only` is true.",
  ),
  fingerprint_alg: Type.Literal("sha256"),
  pulled_at: Timestamp,
  audit_id: Text("The id of the audit entry for this request."),
  warnings: ListOf(
    Type.String(),
    "Human-readable warnings about variables that are renamed, hidden by another variable with the same name, or requested but not set, and about services whose resource was not found at the provider; and `dotenv_unportable:NAME` for each value that some readers of `.env` files read otherwise.",
  ),
});

export function presentEnvBundle(pulled: PulledEnv, namesOnly: boolean): Static<typeof EnvBundleResource> {
  return toWire(EnvBundleResource, pulled, {
    env: namesOnly ? null : pulled.env,
    variables: pulled.variables.map(presentVariableSource),
    fingerprint_alg: "sha256",
    warnings: [
      ...pulled.missingNames.map((name) => `${name} is not set in ${pulled.environment}.`),
      ...pulled.warnings,
      ...pulled.unportableNames.map((name) => `dotenv_unportable:${name}`),
    ],
  });
}

function presentVariableSource({
  name,
  sensitive,
  updatedAt,
  service,
}: PulledEnv["variables"][number]): Static<typeof EnvBundleResource>["variables"][number] {
  return {
    name,
    source: service === null ? "project" : "service",
    ...(service !== null && {
      service_id: service.serviceId,
      credential_version: service.credentialVersion,
    }),
    sensitive,
    updated_at: updatedAt.toISOString(),
  };
}
