import type { StoredMessage } from "./message-store.ts";

/** A message in a mailbox API response. */
export interface MailboxMessage {
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  /** The plain text part. Null if the email has none. */
  readonly text: string | null;
  readonly html: string | null;
  /** The distinct http and https URLs in the text and HTML parts. */
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
