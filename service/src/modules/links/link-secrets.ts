import { type Static, type TSchema, Type } from "typebox";
import { Parse } from "typebox/value";
import type { Tx } from "../../db/database.ts";
import type { TenantVault, VaultContext } from "../../vault/vault.ts";
import { type Link, linkSecretRows } from "./queries.ts";

/**
 * The URL that the browser is redirected to when the link is completed or has failed. Null if Purser shows its own
 * page.
 */
const ReturnTo = Type.Union([Type.String(), Type.Null()]);

const PendingConsent = Type.Object({
  flow: Type.Literal("oauth"),
  state: Type.String(),
  codeVerifier: Type.String(),
  returnTo: ReturnTo,
  /** The consent page, if the provider has returned it for this link. */
  url: Type.Optional(Type.String()),
});

const PendingPaste = Type.Object({
  flow: Type.Literal("api_token"),
  /** The `key` parameter in the URL of the form for pasting a token. */
  key: Type.String(),
  /** The value of the form's hidden field `once`. Each submission replaces it, so a form can be submitted only once. */
  once: Type.String(),
  triesLeft: Type.Integer(),
  returnTo: ReturnTo,
});

/** The secrets of a pending link. They are deleted when the link is no longer pending. */
const PendingSecret = Type.Union([PendingConsent, PendingPaste]);
export type PendingConsent = Static<typeof PendingConsent>;
export type PendingPaste = Static<typeof PendingPaste>;
export type PendingSecret = Static<typeof PendingSecret>;

/** The tokens of a completed link. They are deleted when the link ends. */
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

/** Returns the secrets of the link if it is pending, otherwise undefined. */
export async function readPending(
  tx: Tx,
  vault: TenantVault,
  link: Link | undefined,
): Promise<PendingSecret | undefined> {
  if (link?.status !== "pending_auth") return undefined;
  const sealed = (await linkSecretRows.find(tx, link))?.pendingSealed ?? null;
  return sealed === null ? undefined : openPending(vault, link.linkId, sealed);
}

/**
 * @param version the version of the link's tokens. It is part of the additional authenticated data (AAD), so tokens can
 * be decrypted only with the version for which they were encrypted.
 */
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

/**
 * Returns the additional authenticated data (AAD) for a link's secret. A ciphertext copied to another row cannot be
 * decrypted.
 */
export function linkSecretContext(linkId: string, field: "pending" | "access", version: number): VaultContext {
  return { kind: "provider_link_secret", subject: linkId, field, version };
}

/** Parses a decrypted secret. Replaces the parser's error, because its message can contain the plaintext. */
function read<Schema extends TSchema>(schema: Schema, plaintext: Buffer): Static<Schema> {
  try {
    return Parse(schema, JSON.parse(plaintext.toString("utf8")));
  } catch {
    throw new Error("the decrypted secret of a link has an unexpected form");
  }
}
