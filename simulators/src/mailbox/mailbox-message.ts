import type { StoredMessage } from "./message-store.ts";

/** A message in a mailbox API response. */
export interface MailboxMessage {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  /** Null if the email has no such part. */
  readonly text: string | null;
  readonly html: string | null;
  /** The distinct http and https URLs in both parts. */
  readonly links: readonly string[];
  /** RFC 3339 timestamp in UTC. */
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
