import { type Static, Type } from "typebox";
import { Nullable, Timestamp } from "../../../foundation/wire/common.ts";
import type { PulledEnv } from "../pull-env.ts";

export const EnvBundleResource = Type.Object(
  {
    object: Type.Literal("env_bundle"),
    project_id: Type.String(),
    environment: Type.String(),
    version: Type.Integer(),
    env: Nullable(Type.Record(Type.String(), Type.String())),
    variables: Type.Array(
      Type.Object({
        name: Type.String(),
        source: Type.Enum(["project", "service"]),
        service_id: Type.Optional(Type.String()),
        credential_version: Type.Optional(Type.Integer()),
        sensitive: Type.Boolean(),
        updated_at: Timestamp,
      }),
    ),
    fingerprint: Type.String(),
    fingerprint_alg: Type.Literal("sha256"),
    pulled_at: Timestamp,
    audit_id: Type.String(),
    warnings: Type.Array(Type.String()),
  },
  { $id: "EnvBundle" },
);

export function presentEnvBundle(
  pulled: PulledEnv,
  namesOnly: boolean,
): Static<typeof EnvBundleResource> {
  return {
    object: "env_bundle",
    project_id: pulled.projectId,
    environment: pulled.environment,
    version: pulled.version,
    env: namesOnly ? null : pulled.env,
    variables: pulled.variables.map(presentVariableSource),
    fingerprint: pulled.fingerprint,
    fingerprint_alg: "sha256",
    pulled_at: pulled.pulledAt.toISOString(),
    audit_id: pulled.auditId,
    warnings: [
      ...pulled.missingNames.map((name) => `${name} is not set in ${pulled.environment}.`),
      ...pulled.warnings,
    ],
  };
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
