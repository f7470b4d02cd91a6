import type { Tx } from "../../db/database.ts";
import { newId, type TenantId } from "../../foundation/ids.ts";
import { type EmailTemplate, enqueueEmail } from "../../outbox/enqueue.ts";

/** Queues a notification email to the account's owner. The email contains no secrets. */
export async function enqueueNoticeEmail(
  tx: Tx,
  {
    tenantId,
    template,
    to,
    facts = {},
    at,
  }: {
    readonly tenantId: TenantId;
    readonly template: EmailTemplate;
    readonly to: string;
    readonly facts?: Readonly<Record<string, string>>;
    readonly at: Date;
  },
): Promise<void> {
  await enqueueEmail(
    tx,
    { tenantId, mode: "live" },
    { messageId: newId("mail"), template, to, facts, sealedToken: null, createdAt: at },
  );
}
