import { listenOnPort } from "../kit/listen-on-port.ts";
import { buildMailboxServer } from "./mailbox-server.ts";
import { openMessageStore } from "./message-store.ts";
import { startSmtpListener } from "./start-smtp-listener.ts";

const MESSAGES_MAX = 10_000;

interface MailboxOptions {
  /** The simulators' database. Messages are stored in it and survive a restart. */
  readonly databaseUrl: string;
  /** A loopback address, because any client that can connect can read all email. */
  readonly host: "127.0.0.1";
  /** If 0, any free port is used. */
  readonly smtpPort: number;
  /** The preferred port. If it is 0 or taken, a free port is used. */
  readonly httpPort: number;
  /** The clock for arrival times. Default: the system clock. */
  readonly clock?: { now(): Date };
}

interface Mailbox {
  /** The SMTP URL for outgoing email, `smtp://127.0.0.1:PORT`. */
  readonly smtpUrl: string;
  /** The URL of the pages and the API, `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** Waits for SMTP transactions and requests in progress, then closes all listeners and connections. */
  close(): Promise<void>;
}

/**
 * Starts the mail server for local development. It accepts email over SMTP, does not deliver it, and shows it at `url`.
 * It is stricter than real servers, so invalid email is detected early. Only the newest 10,000 messages are stored.
 */
export async function startMailbox(options: MailboxOptions): Promise<Mailbox> {
  const clock = options.clock ?? { now: () => new Date() };
  const { databaseUrl, host } = options;
  const store = await openMessageStore({ databaseUrl, messagesMax: MESSAGES_MAX });
  const parts: { close(): Promise<void> }[] = [store];
  let closed: Promise<void> | undefined;
  const close = () => {
    closed ??= closeInReverse(parts);
    return closed;
  };

  try {
    const now = () => clock.now();
    const smtp = await startSmtpListener({ store, now, host, port: options.smtpPort });
    parts.push(smtp);
    const server = buildMailboxServer(store);
    parts.push({ close: () => server.close() });
    const url = await listenOnPort(server, { host, port: options.httpPort });
    return { smtpUrl: smtp.url, url, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function closeInReverse(parts: readonly { close(): Promise<void> }[]): Promise<void> {
  for (const part of parts.toReversed()) await part.close();
}
