import type { StoredMessage } from "./message-store.ts";

/** A message in responses of the mailbox. */
export interface MailboxMessage {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  /** Null if the mail has no such part. */
  readonly text: string | null;
  readonly html: string | null;
  /** The http and https URLs of both parts, without duplicates. */
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
