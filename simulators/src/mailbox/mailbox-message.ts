import type { StoredMessage } from "./message-store.ts";

/** A message as the mailbox's HTTP interface answers it. */
export interface MailboxMessage {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  /** Null where the mail has no such part. */
  readonly text: string | null;
  readonly html: string | null;
  /** The http and https addresses of both parts, each once. */
  readonly links: readonly string[];
  /** RFC 3339, in UTC. */
  readonly received_at: string;
}

export function presentMessage(message: StoredMessage): MailboxMessage {
  return {
    id: message.id,
    to: message.recipient,
    subject: message.subject,
    text: message.text,
    html: message.html,
    links: message.links,
    received_at: message.receivedAt.toISOString(),
  };
}
