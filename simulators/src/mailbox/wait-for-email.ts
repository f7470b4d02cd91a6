import { setTimeout as delay } from "node:timers/promises";
import type { MailboxMessage } from "./mailbox-message.ts";

const POLL_INTERVAL_MS = 100;

interface ExpectedMail {
  readonly to: string;
  /** Text that the subject must contain. Case-sensitive. */
  readonly subjectIncludes?: string;
  /** Ignores email received before this time, according to the mailbox's clock. */
  readonly after?: Date;
  readonly timeoutMs: number;
}

/**
 * Waits for a matching email and returns the newest one. On timeout, throws an Error that lists the received subjects.
 * Also throws if the mailbox responds with an error.
 */
export async function waitForEmail(mailboxUrl: string, expected: ExpectedMail): Promise<MailboxMessage> {
  const deadline = AbortSignal.timeout(expected.timeoutMs);
  let received: readonly MailboxMessage[] = [];
  while (!deadline.aborted) {
    received = await messagesTo(mailboxUrl, expected.to);
    const found = received.find((message) => matches(message, expected));
    if (found) return found;
    await delay(POLL_INTERVAL_MS);
  }
  throw new Error(
    `No mail to ${expected.to}${expected.subjectIncludes ? ` about "${expected.subjectIncludes}"` : ""} within ` +
      `${expected.timeoutMs} ms. Received: ${received.map(({ subject }) => subject).join("; ") || "nothing"}`,
  );
}

function matches(message: MailboxMessage, { subjectIncludes = "", after }: ExpectedMail): boolean {
  return (
    message.subject.includes(subjectIncludes) &&
    (after === undefined || Date.parse(message.received_at) >= after.getTime())
  );
}

async function messagesTo(mailboxUrl: string, to: string): Promise<readonly MailboxMessage[]> {
  const url = new URL("/api/messages", mailboxUrl);
  url.searchParams.set("to", to);
  const response = await fetch(url, { signal: AbortSignal.timeout(5_000) });
  if (!response.ok)
    throw new Error(`The mailbox responded with status ${response.status} to ${url}: ${await response.text()}`);
  const { data } = (await response.json()) as { data: MailboxMessage[] };
  return data;
}
