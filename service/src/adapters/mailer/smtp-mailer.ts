import { createTransport } from "nodemailer";
import { type Mailer, RecipientRefusedError } from "../../ports/mailer.ts";

/** The outbox retries mails that a slow server did not accept. */
const CONNECT_TIMEOUT_MS = 3_000;
const RESPONSE_TIMEOUT_MS = 5_000;

export interface SmtpMailerOptions {
  /** `smtp:` or `smtps:`, with the credentials if the server requires them. */
  readonly url: string;
  /** The From header: `Purser <purser@example.com>`. */
  readonly from: string;
}

/** Sends mails to an SMTP server, each over its own connection. Logs nothing of a mail. */
export function createSmtpMailer({ url, from }: SmtpMailerOptions): Mailer {
  const transport = createTransport(
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
  const domain = /@([^\s@>]+)>?\s*$/.exec(from)?.[1] ?? "localhost";
  return {
    send: async ({ id, to, subject, text, html }) => {
      const mail = {
        messageId: `<${id}@${domain}>`,
        // An object, so that an address is never parsed as a list of addresses.
        to: { name: "", address: to },
        subject,
        text,
        html,
        headers: { "auto-submitted": "auto-generated" },
      };
      await transport.sendMail(mail).catch((error: unknown) => {
        throw isRecipientRefused(error) ? new RecipientRefusedError() : error;
      });
    },
  };
}

/**
 * Only a response to `RCPT TO` is about the recipient. A 535 is about the credentials, a 5xx to `MAIL FROM` about the
 * sender.
 */
function isRecipientRefused(error: unknown): boolean {
  if (!(error instanceof Error) || !("command" in error) || !("responseCode" in error))
    return false;
  const { command, responseCode } = error;
  return command === "RCPT TO" && Number(responseCode) >= 500 && Number(responseCode) < 600;
}
