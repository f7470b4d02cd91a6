import type { Tx } from "../../db/database.ts";
import { newId, type TenantId } from "../../foundation/ids.ts";
import { enqueueMail, type MailTemplate } from "../../outbox/enqueue.ts";

/** Emails a notification without secrets to the account's owner. */
export async function mailNotice(
  tx: Tx,
  {
    tenantId,
    template,
    to,
    facts = {},
    at,
  }: {
    readonly tenantId: TenantId;
    readonly template: MailTemplate;
    readonly to: string;
    readonly facts?: Readonly<Record<string, string>>;
    readonly at: Date;
  },
): Promise<void> {
  await enqueueMail(
    tx,
    { tenantId, mode: "live" },
    { messageId: newId("mail"), template, to, facts, sealedToken: null, createdAt: at },
  );
}
