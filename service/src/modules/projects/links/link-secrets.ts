import { type Static, type TSchema, Type } from "typebox";
import { Parse } from "typebox/value";
import type { TenantVault, VaultContext } from "../../../vault/open-vault.ts";

/** Where a browser is sent once the link is complete. Null: it is shown a page. */
const ReturnTo = Type.Union([Type.String(), Type.Null()]);

const PendingConsent = Type.Object({
  flow: Type.Literal("oauth"),
  state: Type.String(),
  codeVerifier: Type.String(),
  returnTo: ReturnTo,
});

const PendingPaste = Type.Object({
  flow: Type.Literal("api_token"),
  /** Opens the form: it stands in its address. */
  key: Type.String(),
  /** The form's one-time field. Every try has another. */
  once: Type.String(),
  triesLeft: Type.Integer(),
  returnTo: ReturnTo,
});

/** What completes a link, sealed for as long as it can be completed. */
const PendingSecret = Type.Union([PendingConsent, PendingPaste]);
export type PendingConsent = Static<typeof PendingConsent>;
export type PendingPaste = Static<typeof PendingPaste>;
export type PendingSecret = Static<typeof PendingSecret>;

/** What a link gives access with, sealed for as long as it is in force. */
const AccessSecret = Type.Object({
  accessToken: Type.String(),
  refreshToken: Type.Union([Type.String(), Type.Null()]),
});
export type AccessSecret = Static<typeof AccessSecret>;

export function sealPending(vault: TenantVault, linkId: string, secret: PendingSecret): Buffer {
  return vault.seal(linkSecretContext(linkId, "pending", 0), JSON.stringify(secret));
}

export function openPending(vault: TenantVault, linkId: string, sealed: Buffer): PendingSecret {
  return read(PendingSecret, vault.open(linkSecretContext(linkId, "pending", 0), sealed));
}

/** @param version that of the row which the secret is stored in: an older one does not open there */
export function sealAccess(
  vault: TenantVault,
  { linkId, version }: { readonly linkId: string; readonly version: number },
  { accessToken, refreshToken }: AccessSecret,
): Buffer {
  const text = JSON.stringify({ accessToken, refreshToken });
  return vault.seal(linkSecretContext(linkId, "access", version), text);
}

export function openAccess(
  vault: TenantVault,
  { linkId, version }: { readonly linkId: string; readonly version: number },
  sealed: Buffer,
): AccessSecret {
  return read(AccessSecret, vault.open(linkSecretContext(linkId, "access", version), sealed));
}

/** Where a secret of a link stands in the tenant's vault. */
export function linkSecretContext(
  linkId: string,
  field: "pending" | "access",
  version: number,
): VaultContext {
  return { kind: "provider_link_secret", subject: linkId, field, version };
}

/** The errors of parsers hold what they could not parse, and this was opened from a vault: ours says nothing of it. */
function read<Schema extends TSchema>(schema: Schema, plaintext: Buffer): Static<Schema> {
  try {
    return Parse(schema, JSON.parse(plaintext.toString("utf8")));
  } catch {
    throw new Error("a link's secret is of another shape than it was sealed in");
  }
}
