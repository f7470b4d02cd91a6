import type { App } from "../../app.ts";
import { type Actor, appendAuditEntry } from "../../audit/append.ts";
import type { Db, Tx } from "../../db/database.ts";
import { withTransaction } from "../../db/transaction.ts";
import { readEnd } from "../../events/queries.ts";
import { AppError, invalidField } from "../../foundation/errors.ts";
import { newId, type WebhookId } from "../../foundation/ids.ts";
import { QUOTAS } from "../../foundation/wire/quotas.ts";
import type { SaveResponse } from "../../idempotency/claim.ts";
import { assertNotRevoked } from "../../revocations/revocations.ts";
import { openVault } from "../../vault/vault.ts";
import { developerRows } from "../developers/queries.ts";
import { listKnownProjectIds } from "../projects/queries.ts";
import {
  countWebhooks,
  listKnownAgentIds,
  listSecrets,
  type Webhook,
  type WebhookScope,
  webhookRows,
  webhookSecretRows,
} from "./queries.ts";
import { cancelDeliveries, stopDeliveries } from "./schedule-deliveries.ts";
import type { IssuedWebhook } from "./webhook-resource.ts";
import { addSecret } from "./webhook-secrets.ts";

const WEBHOOKS_MAX = QUOTAS.webhooks.max;
/** How long deliveries are also signed with the former secret. */
const ROTATION_MS = 24 * 3_600_000;

type Access = Pick<App, "db" | "clock" | "keyEncryptionKey" | "vaults" | "webhookSender">;

/** What a developer says of a webhook. */
export type WebhookFields = Pick<Webhook, "url" | "description" | "eventTypes" | "projectIds" | "agentIds" | "enabled">;

/** Returns a webhook of the mode. Throws `webhook_not_found`. */
export async function getWebhook(db: Db, { tenantId, mode }: WebhookScope, webhookId: WebhookId): Promise<Webhook> {
  return requireWebhook(await webhookRows.find(db, { tenantId, webhookId }), mode);
}

export function requireWebhook(webhook: Webhook | undefined, mode: Webhook["mode"]): Webhook {
  if (webhook?.mode === mode) return webhook;
  throw new AppError("webhook_not_found", { internal: "no webhook with this id in this mode" });
}

/** Locks a webhook of the actor's mode, changes it with `change`, and records that. Throws `webhook_not_found`. */
async function changeWebhook<Result>(
  { db, clock }: Pick<App, "db" | "clock">,
  { actor, webhookId, action }: WebhookCommand & { readonly action: string },
  change: (tx: Tx, webhook: Webhook, at: Date) => Promise<Result>,
): Promise<Result> {
  const { tenantId, mode } = actor;
  return withTransaction(db, tenantId, async (tx) => {
    await assertNotRevoked(tx, actor);
    const at = clock.now();
    const webhook = requireWebhook(await webhookRows.lock(tx, { tenantId, webhookId }), mode);
    const result = await change(tx, webhook, at);
    const changed = (await webhookRows.find(tx, { tenantId, webhookId })) ?? webhook;
    await recordWebhookChange(tx, actor, { webhook: changed, action, at });
    return result;
  });
}

export interface WebhookCommand {
  readonly actor: Actor;
  readonly webhookId: WebhookId;
}

/** Returns the part of a webhook's URL that others may read. The rest can contain secrets. */
export function originOf({ url }: Pick<Webhook, "url">): string {
  return new URL(url).origin;
}

/** Writes the audit entry for a change of a webhook. */
export async function recordWebhookChange(
  tx: Tx,
  actor: Actor,
  { webhook, action, at }: { readonly webhook: Webhook; readonly action: string; readonly at: Date },
): Promise<void> {
  const { webhookId, eventTypes, enabled } = webhook;
  const subject = { type: "webhook", id: webhookId };
  const facts = { origin: originOf(webhook), event_types: [...eventTypes], enabled };
  await appendAuditEntry(tx, actor, { action, subject, facts, occurredAt: at });
}

/**
 * Creates a webhook, which gets the events from now on. Throws `conflict` if there are too many, and `validation_error` for a
 * URL that nothing can be sent to, and for unknown projects and agents.
 */
export async function createWebhook(
  app: Access,
  { actor, fields }: { readonly actor: Actor; readonly fields: WebhookFields },
  saveResponse: SaveResponse<IssuedWebhook>,
): Promise<IssuedWebhook> {
  const { tenantId, mode } = actor;
  await checkFields(app, actor, fields);
  const vault = await openVault(app, tenantId);
  const end = await readEnd(app.db);
  return withTransaction(app.db, tenantId, async (tx) => {
    await assertNotRevoked(tx, actor);
    await developerRows.lock(tx, { tenantId });
    if ((await countWebhooks(tx, actor)) >= WEBHOOKS_MAX) {
      throw new AppError("conflict", {
        detail: `This account has reached its limit of ${WEBHOOKS_MAX} ${mode} webhooks. Delete one first.`,
      });
    }
    const at = app.clock.now();
    const webhook = await webhookRows.insertAndGet(tx, {
      ...fields,
      ...{ tenantId, webhookId: newId("wh"), mode, createdAt: at, updatedAt: at },
      ...{ readXid: end.xid, readEventId: end.eventId, startsAt: at },
    });
    const secret = await addSecret(tx, vault, webhook, 1);
    await recordWebhookChange(tx, actor, { webhook, action: "webhook.created", at });
    const issued = { webhook, secret, previousSecretExpiresAt: null };
    await saveResponse(tx, issued);
    return issued;
  });
}

async function checkFields(
  { db, webhookSender }: Pick<App, "db" | "webhookSender">,
  scope: WebhookScope,
  { url, projectIds = [], agentIds = [] }: Partial<WebhookFields>,
): Promise<void> {
  const refusal = url === undefined ? null : await webhookSender.refusalOf(url);
  if (refusal !== null) throw invalidField("/body/url", "forbidden", refusal);
  const knownProjects = await listKnownProjectIds(db, { ...scope, projectIds });
  throwIfUnknown("project", projectIds, knownProjects);
  throwIfUnknown("agent", agentIds, await listKnownAgentIds(db, scope, agentIds));
}

function throwIfUnknown(subject: string, ids: readonly string[], known: readonly string[]): void {
  const index = ids.findIndex((id) => !known.includes(id));
  if (index >= 0) throw invalidField(`/body/${subject}_ids/${index}`, "unknown", `is not one of your ${subject}s`);
}

/**
 * Changes a webhook. One that is enabled again gets the events from now on. Throws `webhook_not_found` and the errors of
 * `createWebhook`.
 */
export async function updateWebhook(
  app: Access,
  { fields, ...command }: WebhookCommand & { readonly fields: Partial<WebhookFields> },
  saveResponse: SaveResponse<Webhook>,
): Promise<Webhook> {
  await checkFields(app, command.actor, fields);
  const end = await readEnd(app.db);
  return changeWebhook(app, { ...command, action: "webhook.updated" }, async (tx, webhook, at) => {
    const isEnabledAgain = fields.enabled === true && !webhook.enabled;
    const changed = await webhookRows.updateAndGet(tx, webhook, {
      ...fields,
      ...(isEnabledAgain && { readXid: end.xid, readEventId: end.eventId, startsAt: at }),
      ...(isEnabledAgain && { disabledReason: null, failures: 0, failingSince: null }),
      updatedAt: at,
    });
    if (!changed.enabled) await stopDeliveries(tx, webhook);
    await saveResponse(tx, changed);
    return changed;
  });
}

/** Deletes a webhook and its deliveries. Throws `webhook_not_found`. */
export async function deleteWebhook(app: Access, command: WebhookCommand): Promise<Webhook> {
  return changeWebhook(app, { ...command, action: "webhook.deleted" }, async (tx, webhook) => {
    await cancelDeliveries(tx, webhook);
    await webhookRows.remove(tx, webhook);
    return webhook;
  });
}

/** Adds a secret. Deliveries are signed with it and, for 24 hours, with the one before it. Throws `webhook_not_found`. */
export async function rotateSecret(
  app: Access,
  command: WebhookCommand,
  saveResponse: SaveResponse<IssuedWebhook>,
): Promise<IssuedWebhook> {
  const vault = await openVault(app, command.actor.tenantId);
  return changeWebhook(app, { ...command, action: "webhook.secret_rotated" }, async (tx, webhook, at) => {
    const previousSecretExpiresAt = new Date(at.getTime() + ROTATION_MS);
    const [newest, ...others] = await listSecrets(tx, webhook, at);
    for (const other of others) await webhookSecretRows.remove(tx, other);
    if (newest !== undefined) await webhookSecretRows.update(tx, newest, { expiresAt: previousSecretExpiresAt });
    const secret = await addSecret(tx, vault, webhook, (newest?.version ?? 0) + 1);
    const issued = { webhook, secret, previousSecretExpiresAt };
    await saveResponse(tx, issued);
    return issued;
  });
}
