import { listenOnPort } from "../kit/listen-on-port.ts";
import { buildMailboxServer } from "./mailbox-server.ts";
import { openMessageStore } from "./message-store.ts";
import { startSmtpListener } from "./start-smtp-listener.ts";

const MESSAGES_MAX = 10_000;

interface MailboxOptions {
  /** The simulators' database. Messages are stored in it, so they survive a restart. */
  readonly databaseUrl: string;
  /** A loopback address, because every client of the mailbox can read all mail. */
  readonly host: "127.0.0.1";
  /** 0: any free port. */
  readonly smtpPort: number;
  /** A free port is used if it is 0 or taken. */
  readonly httpPort: number;
  /** The clock for arrival times. Default: the system clock. */
  readonly clock?: { now(): Date };
}

interface Mailbox {
  /** The SMTP URL for outgoing mail, `smtp://127.0.0.1:PORT`. */
  readonly smtpUrl: string;
  /** The URL of pages and API, `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** Finishes SMTP transactions and requests in progress, then closes listeners and connections. */
  close(): Promise<void>;
}

/**
 * Starts the mail server of the local profile. It accepts mail over SMTP, does not deliver it, and shows it at `url`.
 * It is stricter than real servers, so that invalid mail is found early. It keeps the newest 10,000 messages.
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
