import { type Static, Type } from "typebox";
import { NamedObject, Nullable, Timestamp } from "../../../foundation/wire/fields.ts";
import { toWire } from "../../../foundation/wire/to-wire.ts";
import type { PulledEnv } from "../pull-env.ts";

export const EnvBundleResource = NamedObject("EnvBundle", {
  object: Type.Literal("env_bundle"),
  project_id: Type.String(),
  environment: Type.String(),
  version: Type.Integer({
    description: "Number of times that the project's variables have been changed, in any environment.",
  }),
  env: Nullable(Type.Record(Type.String(), Type.String()), "Values by variable name. `null` if `names_only` is true."),
  variables: Type.Array(
    Type.Object({
      name: Type.String(),
      source: Type.Enum(["project", "service"]),
      service_id: Type.Optional(
        Type.String({
          description: "The id of the service that provides the variable. Only included if `source` is `service`.",
        }),
      ),
      credential_version: Type.Optional(
        Type.Integer({
          description: "The version of the service's credential. Only included if `source` is `service`.",
        }),
      ),
      sensitive: Type.Boolean({
        description: "Whether the value is a secret that tools should not display.",
      }),
      updated_at: Timestamp,
    }),
    { description: "The variables of the bundle, sorted by name." },
  ),
  fingerprint: Type.String({
    description:
      "SHA-256 of the canonical JSON (RFC 8785) of an object with the names and values of the returned variables, in lowercase hexadecimal. Includes the values even if `names_only` is true.",
  }),
  fingerprint_alg: Type.Literal("sha256"),
  pulled_at: Timestamp,
  audit_id: Type.String({ description: "The id of the audit entry for this request." }),
  warnings: Type.Array(Type.String(), {
    description:
      "Human-readable warnings about variables that are renamed, hidden by another variable with the same name, or requested but not set, and about services whose resource was not found at the provider; and `dotenv_unportable:NAME` for each value that some readers of `.env` files read otherwise.",
  }),
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
