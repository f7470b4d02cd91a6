import { createTransport } from "nodemailer";
import type { Mailer } from "../ports/mailer.ts";

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
      await transport.sendMail({
        messageId: `<${id}@${domain}>`,
        // As an object, so that no address is ever taken for a list of them.
        to: { name: "", address: to },
        subject,
        text,
        html,
        headers: { "auto-submitted": "auto-generated" },
      });
    },
  };
}
