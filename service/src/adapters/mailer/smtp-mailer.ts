import { createTransport } from "nodemailer";
import { type Mailer, RecipientRefusedError } from "../../ports/mailer.ts";

/** A server that is slower than this is tried again later, by the outbox. */
const CONNECT_TIMEOUT_MS = 3_000;
const ANSWER_TIMEOUT_MS = 5_000;

export interface SmtpMailerOptions {
  /** `smtp:` or `smtps:`, with the credentials where the server asks for some. */
  readonly url: string;
  /** As the From header has it: `Purser <purser@example.com>`. */
  readonly from: string;
}

/** Hands mails to an SMTP server, over a connection of their own each. Nothing of a mail is logged. */
export function createSmtpMailer({ url, from }: SmtpMailerOptions): Mailer {
  const transport = createTransport(
    {
      url,
      dnsTimeout: CONNECT_TIMEOUT_MS,
      connectionTimeout: CONNECT_TIMEOUT_MS,
      greetingTimeout: ANSWER_TIMEOUT_MS,
      socketTimeout: ANSWER_TIMEOUT_MS,
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
        // As an object, so that no address is ever taken for a list of them.
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

/** Only what answers `RCPT TO` is about the recipient: 535 is about our credentials, and a 5xx to `MAIL FROM` about us as sender. */
function isRecipientRefused(error: unknown): boolean {
  if (!(error instanceof Error) || !("command" in error) || !("responseCode" in error))
    return false;
  const { command, responseCode } = error;
  return command === "RCPT TO" && Number(responseCode) >= 500 && Number(responseCode) < 600;
}
