import { type Static, Type } from "typebox";
import type { App } from "../../app.ts";
import { EMAIL_TOKEN_PURPOSES, type EmailTokenPurpose } from "../../foundation/vocabulary.ts";
import { Count, ListOf, NamedObject, Nullable, Text, Timestamp } from "../../foundation/wire/fields.ts";
import { toWire } from "../../foundation/wire/to-wire.ts";
import { findVerification } from "./email-verification/email-verification.ts";
import { invalidToken } from "./email-verification/queries.ts";
import { ApiKeyResource } from "./keys/api-key-resource.ts";
import { listKeysOfEmailedToken } from "./keys/emailed-keys.ts";
import type { ApiKey } from "./keys/queries.ts";

/** What an emailed token can do. */
interface EmailedToken {
  readonly purpose: EmailTokenPurpose;
  readonly email: string;
  readonly verifiedAt: Date | null;
  readonly isProven: boolean | null;
  readonly keys: readonly ApiKey[];
}

/** Reads what an emailed token can do, without using it. The token of a verified address can still be read. */
export async function readEmailedToken(
  app: Pick<App, "db" | "clock">,
  { token, purpose }: { readonly token: string; readonly purpose: EmailTokenPurpose },
): Promise<EmailedToken> {
  const found =
    purpose === "verify_email"
      ? await findVerification(app, token)
      : await listKeysOfEmailedToken(app, { token, purpose });
  if (found === undefined) throw invalidToken();
  return { purpose, verifiedAt: null, isProven: null, keys: [], ...found };
}

const { key_id, key_hint, mode, name, created_at, last_used_at } = ApiKeyResource.properties;

const EmailedTokenKeyResource = NamedObject("EmailedTokenKey", {
  key_id,
  key_hint,
  mode,
  name,
  created_at,
  last_used_at,
});

/** What an emailed token is for (docs/rules/accounts.md). */
export const EmailedTokenResource = Type.Object(
  {
    object: Type.Literal("emailed_token"),
    purpose: Type.Enum([...EMAIL_TOKEN_PURPOSES]),
    email: Text("The account's email address."),
    verified_at: Nullable(
      Timestamp,
      "With `verify_email`: when the address was verified, with this token or another one. Null if the token can still verify it, and for other purposes.",
    ),
    ownership_confirmed: Nullable(
      Type.Boolean(),
      "Whether ownership of the account is confirmed. If not, a password reset removes the second factor, the linked identities and the profile, and revokes the keys unless `keep_keys` is true. If it is, a password reset keeps the keys unless `revoke_keys` is true. Null with `verify_email`.",
    ),
    keys: ListOf(EmailedTokenKeyResource, "The account's valid API keys, newest first. Empty with `verify_email`."),
  },
  { $id: "EmailedToken", description: "What a token from an email is for." },
);

export function presentEmailedToken(token: EmailedToken): Static<typeof EmailedTokenResource> {
  return toWire(EmailedTokenResource, token, {
    ownership_confirmed: token.isProven,
    keys: token.keys.map((key) => toWire(EmailedTokenKeyResource, key)),
  });
}

/** Keys that were revoked with an emailed token. */
export const RevokedKeysResource = NamedObject("RevokedKeys", {
  object: Type.Literal("revoked_keys"),
  count: Count("The number of revoked keys."),
});
