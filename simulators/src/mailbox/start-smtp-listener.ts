import { once } from "node:events";
import { isIPv6 } from "node:net";
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from "smtp-server";
import { isEmailAddress } from "./email-address.ts";
import type { MessageStore } from "./message-store.ts";
import { parseEmail } from "./parse-email.ts";
import { smtpError } from "./smtp-error.ts";

const MESSAGE_BYTES_MAX = 1024 * 1024;
const RECIPIENTS_MAX = 50;
/** How long an open SMTP transaction may continue after `close` is called. */
const CLOSE_TIMEOUT_MS = 2_000;

interface SmtpListenerOptions {
  readonly store: MessageStore;
  readonly now: () => Date;
  readonly host: string;
  /** If 0, any free port is used. */
  readonly port: number;
}

/**
 * Accepts email over SMTP (RFC 5321) without TLS or authentication.
 * Error replies: 501 or 553 to a malformed address, 503 without a recipient, 452 to the 51st recipient, 552 to a
 * message over 1 MiB, 550 to an unreadable message or missing headers, 451 if messages cannot be stored.
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
    onMailFrom: ({ address }, _session, callback) => callback(addressError(address)),
    onRcptTo: ({ address }, _session, callback) => callback(addressError(address)),
    onData: (stream, session, callback) => {
      receive(options, stream, session).then(() => callback(), callback);
    },
  });
  // Clients may disconnect at any time. Without a listener, the error event would end the process.
  server.on("error", () => {});

  server.listen(options.port, options.host);
  await once(server.server, "listening");
  return {
    url: `smtp://${authority(server)}`,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/**
 * Returns an error for an address that the SMTP library accepts but real servers reject. An empty sender is valid,
 * because bounce messages have none.
 */
function addressError(address: string): Error | null {
  if (address === "" || isEmailAddress(address)) return null;
  return smtpError(553, `Malformed address: ${address}`);
}

async function receive(
  { store, now }: SmtpListenerOptions,
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
): Promise<void> {
  const raw = await readAll(stream);
  // The SMTP library replies 552 to a message over the size limit.
  if (stream.sizeExceeded) return;

  const mail = await parseEmail(raw);
  const recipients = session.envelope.rcptTo.map(({ address }) => address);
  try {
    await store.add({ mail, recipients, receivedAt: now() });
  } catch (cause) {
    throw smtpError(451, "The mailbox cannot store mail at the moment. Try again later", {
      cause,
    });
  }
}

/**
 * Reads the whole stream, even if the message is too large, because the library replies only when the stream has ended.
 * Discards a message over the size limit.
 */
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
  if (address === null || typeof address === "string") throw new Error("The SMTP server has no port.");
  return `${isIPv6(address.address) ? `[${address.address}]` : address.address}:${address.port}`;
}
