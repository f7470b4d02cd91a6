import { escapeHtml } from "../foundation/escape-html.ts";
import type { OutboxMail } from "./enqueue.ts";

export type MailTemplate = OutboxMail["template"];

/** What a template may speak of. */
export interface MailFacts {
  /** Where the service is reached, without a trailing slash. */
  readonly publicUrl: string;
  readonly to: string;
  /** The secret of the mail's link. Empty for a mail that has none. */
  readonly token: string;
}

interface Words {
  readonly subject: string;
  readonly before: readonly string[];
  readonly link: { readonly label: string; readonly url: string };
  readonly after: readonly string[];
}

const templates: Readonly<Record<MailTemplate, (facts: MailFacts) => Words>> = {
  verify_email: ({ publicUrl, to, token }) => ({
    subject: "Verify your email address for Purser",
    before: [`Somebody signed up for Purser with ${to}. If it was you, verify the address:`],
    link: {
      label: "Verify my email address",
      url: `${publicUrl}/api/v1/svc/developers/verify-email?token=${encodeURIComponent(token)}`,
    },
    after: [
      "The link works once, within 24 hours.",
      "If it was not you, do nothing: without the link the account gets no keys and can move no money.",
    ],
  }),
  already_registered: ({ publicUrl, to }) => ({
    subject: "You already have a Purser account",
    before: [
      `Somebody tried to sign up for Purser with ${to}, which has an account already. Nothing was changed.`,
      "If it was you, log in with the password that you chose then:",
    ],
    link: { label: "How to log in", url: `${publicUrl}/login` },
    after: [
      "If your address was never verified, ask for a new verification mail there.",
      "If it was not you, there is nothing to do.",
    ],
  }),
};

/** The mail's words, as plain text and as HTML that says the same. */
export function renderMail(template: MailTemplate, facts: MailFacts) {
  const { subject, before, link, after } = templates[template](facts);
  const text = [...before, link.url, ...after].join("\n\n");
  const paragraphs = [
    ...before.map(escapeHtml),
    `<a href="${escapeHtml(link.url)}">${escapeHtml(link.label)}</a>`,
    ...after.map(escapeHtml),
  ];
  const html = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head>
  <body style="font: 16px/1.5 system-ui, sans-serif; max-width: 36em; margin: 2em auto; padding: 0 1em">
${paragraphs.map((paragraph) => `    <p>${paragraph}</p>`).join("\n")}
  </body>
</html>
`;
  return { subject, text: `${text}\n`, html };
}
