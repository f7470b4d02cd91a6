import { listenOnPort } from "../kit/listen-on-port.ts";
import { buildMailboxServer } from "./mailbox-server.ts";
import { openMessageStore } from "./message-store.ts";
import { startSmtpListener } from "./start-smtp-listener.ts";

const MESSAGES_MAX = 10_000;

interface MailboxOptions {
  /** A Postgres database of the simulators' own. The messages in it outlive the mailbox. */
  readonly databaseUrl: string;
  /** A loopback address: whoever reaches the mailbox reads everybody's mail. */
  readonly host: "127.0.0.1";
  /** 0 picks a free port. */
  readonly smtpPort: number;
  /** A free one if it is 0 or taken. */
  readonly httpPort: number;
  /** Says when a message was received; the system's clock where absent. */
  readonly clock?: { now(): Date };
}

interface Mailbox {
  /** Where mail is sent to, `smtp://127.0.0.1:PORT`. */
  readonly smtpUrl: string;
  /** Where it is read, by people and by scripts, `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** Finishes the transactions and requests under way, then lets go of the ports and the database. */
  close(): Promise<void>;
}

/**
 * The mail service of the local profile: takes mail over real SMTP, delivers it nowhere, and shows it at `url`. It is
 * stricter than a real one, so that a careless sender fails here first. Keeps the newest 10,000 messages.
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
