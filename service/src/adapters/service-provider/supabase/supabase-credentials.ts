import { createHash } from "node:crypto";
import { type Static, Type } from "typebox";
import type {
  CredentialRotation,
  ProviderAccess,
  ProviderEnv,
  RotatedCredentials,
} from "../../../ports/service-provider.ts";
import { VendorError, type VendorFailure } from "../../../ports/vendor-error.ts";
import { pathOf, type VendorClient } from "../../http-client/vendor-client.ts";

export const VENDOR = "supabase";

export const Ref = Type.String({ pattern: "^[a-z]{20}$" });
const Keys = Type.Array(
  Type.Object({
    id: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    name: Type.String(),
    type: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    api_key: Type.Optional(Type.Union([Type.String(), Type.Null()])),
  }),
);
const Poolers = Type.Array(
  Type.Object({
    identifier: Type.String(),
    database_type: Type.String(),
    db_user: Type.String(),
    db_host: Type.String(),
    db_port: Type.Integer({ minimum: 1, maximum: 65_535 }),
    db_name: Type.String({ minLength: 1 }),
  }),
);

const Key = Type.Object({
  name: Type.String(),
  api_key: Type.String({ pattern: "^[\\w.-]{16,}$" }),
});
const DeletedKey = Type.Object({ name: Type.String() });
const PasswordChanged = Type.Object({ message: Type.String() });

export async function readSupabaseEnv(
  client: VendorClient,
  { accessToken }: ProviderAccess,
  { resourceId: ref, password }: { readonly resourceId: string; readonly password: string },
): Promise<ProviderEnv> {
  const keys = await listKeys(client, accessToken, ref);
  const poolers = await client.call({
    operation: "v1-get-pooler-config",
    method: "GET",
    path: pathOf`/v1/projects/${ref}/config/database/pooler`,
    headers: bearer(accessToken),
    schema: Poolers,
  });
  return {
    SUPABASE_URL: `https://${ref}.supabase.co`,
    SUPABASE_PUBLISHABLE_KEY: pickKey(keys, { type: "publishable", legacyName: "anon" }),
    SUPABASE_SECRET_KEY: pickKey(keys, { type: "secret", legacyName: "service_role" }),
    DATABASE_URL: databaseUrl(poolers, ref, password),
  };
}

/**
 * Creates a secret key and changes the password of the database. The former password ends at once, the former secret key
 * when it is retired. The publishable key remains: it is public.
 */
export async function rotateCredentials(
  client: VendorClient,
  access: ProviderAccess,
  { resourceId, rotationId, password }: CredentialRotation,
): Promise<RotatedCredentials> {
  const headers = bearer(access.accessToken);
  const secretKey = await createKeyOnce(client, access, { ref: resourceId, rotationId });
  const env = await readSupabaseEnv(client, access, { resourceId, password });
  // The last call, because it ends the former password.
  await client.call({
    operation: "v1-update-database-password",
    method: "PATCH",
    path: pathOf`/v1/projects/${resourceId}/database/password`,
    headers,
    body: { password },
    secrets: [password],
    schema: PasswordChanged,
  });
  return { env: { ...env, SUPABASE_SECRET_KEY: secretKey }, mode: "immediate" };
}

/** Deletes the former secret key. The former password has already ended. */
export async function retireCredentials(
  client: VendorClient,
  { accessToken }: ProviderAccess,
  { resourceId: ref, former }: { readonly resourceId: string; readonly former: ProviderEnv },
): Promise<void> {
  const keys = await listKeys(client, accessToken, ref);
  const key = keys.find(({ api_key }) => api_key === former["SUPABASE_SECRET_KEY"]);
  if (key === undefined) return;
  const operation = "v1-delete-project-api-key";
  if (key.type !== "secret" || !key.id) {
    throw vendorError("refused", operation, "A legacy key cannot be deleted.");
  }
  await client.call({
    operation,
    method: "DELETE",
    path: pathOf`/v1/projects/${ref}/api-keys/${key.id}`,
    query: { reason: "rotating_key" },
    headers: bearer(accessToken),
    schema: DeletedKey,
  });
}

/** Returns the secret key of the rotation. Its name is derived from the rotation, so that a retry finds it. */
async function createKeyOnce(
  client: VendorClient,
  { accessToken }: ProviderAccess,
  { ref, rotationId }: { readonly ref: string; readonly rotationId: string },
): Promise<string> {
  const digest = createHash("sha256").update(rotationId).digest("hex");
  const name = `purser_${digest.slice(0, 16)}`;
  const keys = await listKeys(client, accessToken, ref);
  const existing = keys.find((key) => key.name === name && key.type === "secret");
  if (existing?.api_key) return existing.api_key;
  const created = await client.call({
    operation: "v1-create-project-api-key",
    method: "POST",
    path: pathOf`/v1/projects/${ref}/api-keys`,
    query: { reveal: "true" },
    headers: bearer(accessToken),
    body: { type: "secret", name },
    schema: Key,
  });
  return created.api_key;
}

async function listKeys(client: VendorClient, accessToken: string, ref: string): Promise<Static<typeof Keys>> {
  return client.call({
    operation: "v1-get-project-api-keys",
    method: "GET",
    path: pathOf`/v1/projects/${ref}/api-keys`,
    query: { reveal: "true" },
    headers: bearer(accessToken),
    schema: Keys,
  });
}

/**
 * Returns the first readable key of the project in this order: the default key of this type, the other keys of this
 * type, the legacy JWT key.
 */
function pickKey(keys: Static<typeof Keys>, requested: { readonly type: string; readonly legacyName: string }): string {
  const ofType = keys.filter(({ type }) => type === requested.type);
  const candidates = [
    ofType.find(({ name }) => name === "default"),
    ...ofType,
    keys.find(({ name, type }) => name === requested.legacyName && type !== "secret"),
  ];
  // Supabase masks the end of a key that the token is not allowed to reveal. A masked key does not match the pattern.
  const key = candidates.find((candidate) => /^[\w.-]{16,}$/.test(candidate?.api_key ?? ""));
  if (key?.api_key) return key.api_key;
  throw vendorError("unavailable", "v1-get-project-api-keys", `The project has no readable ${requested.type} key.`);
}

/** Returns the URL of the project's connection pooler, with the password that the project was created with. */
function databaseUrl(poolers: Static<typeof Poolers>, ref: string, password: string): string {
  const pooler = poolers.find(
    ({ identifier, database_type, db_user, db_host }) =>
      identifier === ref &&
      database_type === "PRIMARY" &&
      db_user === `postgres.${ref}` &&
      /^[a-z0-9.-]+\.supabase\.(com|co)$/.test(db_host),
  );
  if (pooler === undefined) {
    throw vendorError("unavailable", "v1-get-pooler-config", "The response describes a different database.");
  }
  const { db_user: user, db_host: host, db_port: port, db_name: name } = pooler;
  return `postgresql://${user}:${encodeURIComponent(password)}@${host}:${port}/${encodeURIComponent(name)}`;
}

export function bearer(accessToken: string): { readonly authorization: string } {
  return { authorization: `Bearer ${accessToken}` };
}

export function vendorError(failure: VendorFailure, operation: string, vendorMessage: string): VendorError {
  return new VendorError(failure, { vendor: VENDOR, operation, vendorMessage });
}
