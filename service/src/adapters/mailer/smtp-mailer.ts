import { createTransport } from "nodemailer";
import { type Mailer, RecipientRejectedError } from "../../ports/mailer.ts";

/** The timeouts are short because the outbox retries emails that a slow server did not accept. */
const CONNECT_TIMEOUT_MS = 3_000;
const RESPONSE_TIMEOUT_MS = 5_000;

export interface SmtpMailerOptions {
  /** An `smtp:` or `smtps:` URL, including credentials if the server requires them. */
  readonly url: string;
  /** The From header, for example `Purser <purser@example.com>`. */
  readonly from: string;
}

/** Sends emails through an SMTP server, with a new connection for each. Does not log any part of an email. */
export function createSmtpMailer({ url, from }: SmtpMailerOptions): Mailer {
  const transport = openTransport(url, from);
  const domain = /@([^\s@>]+)>?\s*$/.exec(from)?.[1] ?? "localhost";
  return {
    send: async ({ id, to, subject, text, html }) => {
      const mail = {
        messageId: `<${id}@${domain}>`,
        // An object prevents nodemailer from parsing the address as a list of addresses.
        to: { name: "", address: to },
        subject,
        text,
        html,
        headers: { "auto-submitted": "auto-generated" },
      };
      await transport.sendMail(mail).catch((error: unknown) => {
        throw isRecipientRefused(error) ? new RecipientRejectedError() : error;
      });
    },
  };
}

/** Connects to the SMTP server and logs in, as for an email, without sending one. Throws if that fails. */
export async function checkSmtpServer({ url, from }: SmtpMailerOptions): Promise<void> {
  await openTransport(url, from).verify();
}

function openTransport(url: string, from: string) {
  return createTransport(
    {
      url,
      dnsTimeout: CONNECT_TIMEOUT_MS,
      connectionTimeout: CONNECT_TIMEOUT_MS,
      greetingTimeout: RESPONSE_TIMEOUT_MS,
      socketTimeout: RESPONSE_TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
      logger: false,
    },
    { from },
  );
}

/** Returns true for a 5xx response to `RCPT TO`. Other 5xx responses concern the credentials or the sender. */
function isRecipientRefused(error: unknown): boolean {
  if (!(error instanceof Error) || !("command" in error) || !("responseCode" in error)) return false;
  const { command, responseCode } = error;
  return command === "RCPT TO" && Number(responseCode) >= 500 && Number(responseCode) < 600;
}
