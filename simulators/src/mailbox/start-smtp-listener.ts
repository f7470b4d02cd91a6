import { once } from "node:events";
import { isIPv6 } from "node:net";
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server";
import { isMailAddress } from "./mail-address.ts";
import type { MessageStore } from "./message-store.ts";
import { readMail } from "./read-mail.ts";
import { smtpRefusal } from "./smtp-refusal.ts";

const MESSAGE_BYTES_MAX = 1024 * 1024;
const RECIPIENTS_MAX = 50;
/** How long a client may take to finish its transaction once the mailbox closes. */
const CLOSE_TIMEOUT_MS = 2_000;

interface SmtpListenerOptions {
  readonly store: MessageStore;
  readonly now: () => Date;
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
}

/**
 * Takes mail over SMTP (RFC 5321) from anybody on this machine, without TLS and without a login.
 *
 * Answers 501 or 553 to a malformed address, 503 where there is no recipient, 452 to the 51st one, 552 to a message
 * over 1 MiB, 550 to one without its headers, and 451 while the messages cannot be kept.
 */
export async function startSmtpListener(
  options: SmtpListenerOptions,
): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = new SMTPServer({
    name: "mailbox.localhost",
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    disableReverseLookup: true,
    logger: false,
    size: MESSAGE_BYTES_MAX,
    rejectOversized: true,
    maxRecipients: RECIPIENTS_MAX,
    maxClients: 100,
    closeTimeout: CLOSE_TIMEOUT_MS,
    onMailFrom: ({ address }, _session, callback) => callback(refusalOf(address)),
    onRcptTo: ({ address }, _session, callback) => callback(refusalOf(address)),
    onData: (stream, session, callback) => {
      receive(options, stream, session).then(() => callback(), callback);
    },
  });
  // A client that hangs up in the middle is its own affair. Without a listener the event would end the process.
  server.on("error", () => {});

  server.listen(options.port, options.host);
  await once(server.server, "listening");
  return {
    url: `smtp://${authority(server)}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** What the parser of the SMTP server lets pass and a real receiver does not. A bounce has an empty sender. */
function refusalOf(address: string): Error | null {
  if (address === "" || isMailAddress(address)) return null;
  return smtpRefusal(553, `Malformed address: ${address}`);
}

async function receive(
  { store, now }: SmtpListenerOptions,
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
): Promise<void> {
  const raw = await readAll(stream);
  // The server itself answers 552.
  if (stream.sizeExceeded) return;

  const mail = await readMail(raw);
  const recipients = session.envelope.rcptTo.map(({ address }) => address);
  try {
    await store.add({ mail, recipients, receivedAt: now() });
  } catch (cause) {
    throw smtpRefusal(451, "The mailbox cannot keep mail right now, try again later", { cause });
  }
}

/** Reads to the end, without which no answer would be sent, but keeps nothing of what is too large. */
async function readAll(stream: SMTPServerDataStream): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) {
    if (stream.sizeExceeded) chunks.length = 0;
    else chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function authority(server: SMTPServer): string {
  const address = server.server.address();
  if (address === null || typeof address === "string") throw new Error("SMTP listens on no port");
  return `${isIPv6(address.address) ? `[${address.address}]` : address.address}:${address.port}`;
}
