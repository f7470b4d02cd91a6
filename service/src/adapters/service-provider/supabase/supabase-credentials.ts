import { createHash } from "node:crypto";
import { type Static, Type } from "typebox";
import type { CredentialRotation, ProviderEnv, RotatedCredentials } from "../../../ports/service-provider.ts";
import { pathOf, type VendorApi } from "../../http-client/vendor-client.ts";

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
  supabase: VendorApi,
  { resourceId: ref, password }: { readonly resourceId: string; readonly password: string },
): Promise<ProviderEnv> {
  const keys = await listKeys(supabase, ref);
  const path = pathOf`/v1/projects/${ref}/config/database/pooler`;
  const poolers = await supabase.get("v1-get-pooler-config", path, Poolers);
  return {
    SUPABASE_URL: `https://${ref}.supabase.co`,
    SUPABASE_PUBLISHABLE_KEY: pickKey(supabase, keys, { type: "publishable", legacyName: "anon" }),
    SUPABASE_SECRET_KEY: pickKey(supabase, keys, { type: "secret", legacyName: "service_role" }),
    DATABASE_URL: databaseUrl(supabase, poolers, { ref, password }),
  };
}

/**
 * Creates a secret key and changes the password of the database. The former password ends at once, the former secret key
 * when it is retired. The publishable key remains: it is public.
 */
export async function rotateCredentials(
  supabase: VendorApi,
  { resourceId, rotationId, password }: CredentialRotation,
): Promise<RotatedCredentials> {
  const secretKey = await createKeyOnce(supabase, { ref: resourceId, rotationId });
  const env = await readSupabaseEnv(supabase, { resourceId, password });
  // The last call, because it ends the former password.
  const path = pathOf`/v1/projects/${resourceId}/database/password`;
  const content = { body: { password }, secrets: [password] };
  await supabase.patch("v1-update-database-password", path, PasswordChanged, content);
  return { env: { ...env, SUPABASE_SECRET_KEY: secretKey }, mode: "immediate" };
}

/** Deletes the former secret key. The former password has already ended. */
export async function retireSupabaseCredentials(
  supabase: VendorApi,
  { resourceId: ref, former }: { readonly resourceId: string; readonly former: ProviderEnv },
): Promise<void> {
  const keys = await listKeys(supabase, ref);
  const key = keys.find(({ api_key }) => api_key === former["SUPABASE_SECRET_KEY"]);
  if (key === undefined) return;
  const operation = "v1-delete-project-api-key";
  if (key.type !== "secret" || !key.id) {
    throw supabase.error("refused", operation, "A legacy key cannot be deleted.");
  }
  const path = pathOf`/v1/projects/${ref}/api-keys/${key.id}`;
  await supabase.delete(operation, path, DeletedKey, { query: { reason: "rotating_key" } });
}

/** Returns the secret key of the rotation. Its name is derived from the rotation, so that a retry finds it. */
async function createKeyOnce(
  supabase: VendorApi,
  { ref, rotationId }: { readonly ref: string; readonly rotationId: string },
): Promise<string> {
  const digest = createHash("sha256").update(rotationId).digest("hex");
  const name = `purser_${digest.slice(0, 16)}`;
  const keys = await listKeys(supabase, ref);
  const existing = keys.find((key) => key.name === name && key.type === "secret");
  if (existing?.api_key) return existing.api_key;
  const content = { query: { reveal: "true" }, body: { type: "secret", name } };
  const path = pathOf`/v1/projects/${ref}/api-keys`;
  return (await supabase.post("v1-create-project-api-key", path, Key, content)).api_key;
}

function listKeys(supabase: VendorApi, ref: string): Promise<Static<typeof Keys>> {
  const query = { reveal: "true" };
  return supabase.get("v1-get-project-api-keys", pathOf`/v1/projects/${ref}/api-keys`, Keys, { query });
}

/**
 * Returns the first readable key of the project in this order: the default key of this type, the other keys of this
 * type, the legacy JWT key.
 */
function pickKey(
  supabase: VendorApi,
  keys: Static<typeof Keys>,
  requested: { readonly type: string; readonly legacyName: string },
): string {
  const ofType = keys.filter(({ type }) => type === requested.type);
  const candidates = [
    ofType.find(({ name }) => name === "default"),
    ...ofType,
    keys.find(({ name, type }) => name === requested.legacyName && type !== "secret"),
  ];
  // Supabase masks the end of a key that the token is not allowed to reveal. A masked key does not match the pattern.
  const key = candidates.find((candidate) => /^[\w.-]{16,}$/.test(candidate?.api_key ?? ""));
  if (key?.api_key) return key.api_key;
  throw supabase.error("unavailable", "v1-get-project-api-keys", `The project has no readable ${requested.type} key.`);
}

function databaseUrl(
  supabase: VendorApi,
  poolers: Static<typeof Poolers>,
  { ref, password }: { readonly ref: string; readonly password: string },
): string {
  const pooler = poolers.find(
    ({ identifier, database_type, db_user, db_host }) =>
      identifier === ref &&
      database_type === "PRIMARY" &&
      db_user === `postgres.${ref}` &&
      /^[a-z0-9.-]+\.supabase\.(com|co)$/.test(db_host),
  );
  if (pooler === undefined) {
    throw supabase.error("unavailable", "v1-get-pooler-config", "The response describes a different database.");
  }
  const { db_user: user, db_host: host, db_port: port, db_name: name } = pooler;
  return `postgresql://${user}:${encodeURIComponent(password)}@${host}:${port}/${encodeURIComponent(name)}`;
}
