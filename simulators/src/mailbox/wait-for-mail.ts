import { setTimeout as delay } from "node:timers/promises";
import type { MailboxMessage } from "./mailbox-message.ts";

const POLL_INTERVAL_MS = 100;

interface ExpectedMail {
  readonly to: string;
  /** Part of the subject, compared as written. */
  readonly subjectIncludes?: string;
  /** Passes over what was received before this moment, as the mailbox's clock tells it. */
  readonly after?: Date;
  readonly timeoutMs: number;
}

/**
 * The newest mail that fits, as soon as there is one.
 *
 * Throws where none came in time, and says what came instead; where the mailbox does not answer, or refuses.
 */
export async function waitForMail(
  mailboxUrl: string,
  expected: ExpectedMail,
): Promise<MailboxMessage> {
  const deadline = AbortSignal.timeout(expected.timeoutMs);
  let received: readonly MailboxMessage[] = [];
  while (!deadline.aborted) {
    received = await messagesTo(mailboxUrl, expected.to);
    const found = received.find((message) => fits(message, expected));
    if (found) return found;
    await delay(POLL_INTERVAL_MS);
  }
  throw new Error(
    `No mail to ${expected.to}${expected.subjectIncludes ? ` about "${expected.subjectIncludes}"` : ""} within ` +
      `${expected.timeoutMs} ms. Received: ${received.map(({ subject }) => subject).join("; ") || "nothing"}`,
  );
}

function fits(message: MailboxMessage, { subjectIncludes = "", after }: ExpectedMail): boolean {
  return (
    message.subject.includes(subjectIncludes) &&
    (after === undefined || Date.parse(message.received_at) >= after.getTime())
  );
}

async function messagesTo(mailboxUrl: string, to: string): Promise<readonly MailboxMessage[]> {
  const url = new URL("/api/messages", mailboxUrl);
  url.searchParams.set("to", to);
  const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) });
  if (!answer.ok)
    throw new Error(`The mailbox answered ${answer.status} to ${url}: ${await answer.text()}`);
  const { data } = (await answer.json()) as { data: MailboxMessage[] };
  return data;
}
