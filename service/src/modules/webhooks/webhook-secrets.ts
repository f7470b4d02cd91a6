import { createHmac, createSecretKey, type KeyObject, randomBytes } from "node:crypto";
import type { App } from "../../app.ts";
import type { Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import { sealedColumn } from "../../vault/sealed-column.ts";
import { openVault, type TenantVault, type VaultContext } from "../../vault/vault.ts";
import { listSecrets, type WebhookKey, webhookSecretRows } from "./queries.ts";

const SECRET_PREFIX = "whsec_";
const SECRET_BYTES = 24;

function secretContext(webhookId: string, version: number): VaultContext {
  return { kind: "webhook", subject: webhookId, field: "secret", version };
}

/** This module's columns that contain encrypted values. */
export const webhookSealedColumns = [
  sealedColumn({
    table: "webhookSecrets",
    column: "sealed",
    names: ["webhookId", "version"],
    contextOf: ({ webhookId, version }) => secretContext(webhookId, Number(version)),
  }),
];

/** Stores a new secret, and returns it with its prefix. */
export async function addSecret(
  tx: Tx,
  vault: TenantVault,
  { tenantId, webhookId }: WebhookKey,
  version: number,
): Promise<string> {
  const secret = randomBytes(SECRET_BYTES);
  const sealed = vault.seal(secretContext(webhookId, version), secret);
  await webhookSecretRows.insert(tx, { tenantId, webhookId, version, sealed, expiresAt: null });
  return SECRET_PREFIX + secret.toString("base64");
}

/** Returns the keys with which deliveries are signed now, the newest first. */
export async function openSecrets(
  app: Pick<App, "db" | "clock" | "keyEncryptionKey" | "vaults">,
  { tenantId, webhookId }: WebhookKey,
): Promise<readonly KeyObject[]> {
  const at = app.clock.now();
  const rows = await withTransaction(app.db, tenantId, (tx) => listSecrets(tx, { tenantId, webhookId }, at));
  const vault = await openVault(app, tenantId);
  // Node takes longer to prepare a key from bytes than to sign with it.
  return rows.map(({ version, sealed }) => createSecretKey(vault.open(secretContext(webhookId, version), sealed)));
}

/** Returns the headers of a delivery (Standard Webhooks 1.0): an id, a time, and a signature with each secret. */
export function deliveryHeaders(
  secrets: readonly KeyObject[],
  { eventId, body, at }: { readonly eventId: string; readonly body: string; readonly at: Date },
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000));
  const signed = `${eventId}.${timestamp}.${body}`;
  const signatures = secrets.map((secret) => `v1,${createHmac("sha256", secret).update(signed).digest("base64")}`);
  return { "webhook-id": eventId, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}
