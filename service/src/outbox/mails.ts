import { escapeHtml } from "../foundation/escape-html.ts";
import type { MailTemplate } from "./enqueue.ts";

/** What a template may speak of. */
export interface MailFacts {
  /** Where the service is reached, without a trailing slash. */
  readonly publicUrl: string;
  readonly to: string;
  /** The secret of the mail's link. Empty for a mail that has none. */
  readonly token: string;
  /** What whoever had the mail sent said of it. */
  readonly facts: Readonly<Record<string, string>>;
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
  reset_password: ({ publicUrl, to, token }) => ({
    subject: "Choose a new password for Purser",
    before: [`Somebody asked for a new password for ${to}. If it was you, choose it:`],
    link: {
      label: "Choose a new password",
      url: `${publicUrl}/login/reset?token=${encodeURIComponent(token)}`,
    },
    after: [
      "The link works once, within an hour. It ends every session, and its page says what becomes of your API keys.",
      "If it was not you, do nothing: your password stays as it is.",
    ],
  }),
  password_changed: ({ publicUrl, to, facts: { revoked_keys = "0" } }) => ({
    subject: "Your Purser password was changed",
    before: [
      `The password of ${to} was changed by a link that was mailed to this address. Every session was ended.${
        revoked_keys === "0" ? "" : ` API keys that were revoked: ${revoked_keys}.`
      }`,
      "If it was not you, somebody reads your mail. Secure your mailbox first, then choose another password:",
    ],
    link: { label: "Choose another password", url: `${publicUrl}/login/forgot` },
    after: ["If it was you, there is nothing to do."],
  }),
  revoke_keys: ({ publicUrl, to, token, facts: { keys = "" } }) => ({
    subject: "Check the API keys of your Purser account",
    before: [
      `You logged in to the Purser account of ${to} for the first time by an account that has verified this address. Its password, its sessions and every other way to log in were withdrawn. Its API keys still work:`,
      keys,
      "If you did not create them all, revoke them:",
    ],
    link: {
      label: "Show the keys and revoke them",
      url: `${publicUrl}/login/revoke-keys?token=${encodeURIComponent(token)}`,
    },
    after: [
      "The link works once, within 7 days. It revokes every key that the account has by then.",
      "If you created them, there is nothing to do.",
    ],
  }),
  second_factor_enabled: ({ publicUrl, to }) => ({
    subject: "Your Purser account has a second factor",
    before: [
      `Logging in as ${to} asks for a code of an authenticator app from now on, or for one of the recovery codes that were shown.`,
      "If it was not you, somebody is logged in as you. Choose another password, which ends their sessions:",
    ],
    link: { label: "Choose another password", url: `${publicUrl}/login/forgot` },
    after: ["If it was you, there is nothing to do. Keep the recovery codes where you find them."],
  }),
  second_factor_disabled: ({ publicUrl, to }) => ({
    subject: "Your Purser account has no second factor any more",
    before: [
      `Logging in as ${to} asks for no code any more.`,
      "If it was not you, choose another password, which ends every session, and set the second factor up again:",
    ],
    link: { label: "Choose another password", url: `${publicUrl}/login/forgot` },
    after: ["If it was you, there is nothing to do."],
  }),
  identity_linked: ({ publicUrl, to, facts: { provider = "" } }) => ({
    subject: `You can now log in to Purser with ${provider}`,
    before: [
      `A ${provider} account that has verified ${to} was used to log in to your Purser account. From now on it can.`,
    ],
    link: { label: "Log in", url: `${publicUrl}/login` },
    after: [
      `If it was not you, somebody else has that ${provider} account: secure it, then your mailbox, and end every session at Purser.`,
    ],
  }),
  identity_unlinked: ({ publicUrl, to, facts: { provider = "" } }) => ({
    subject: `You can no longer log in to Purser with ${provider}`,
    before: [
      `The ${provider} account was removed from the Purser account of ${to}. It no longer logs in.`,
      "If it was not you, somebody is logged in as you. Choose another password, which ends their sessions:",
    ],
    link: { label: "Choose another password", url: `${publicUrl}/login/forgot` },
    after: ["If it was you, there is nothing to do."],
  }),
  provider_key_expiring: ({ publicUrl, facts: { provider = "", mode = "", expires_at = "" } }) => ({
    subject: `Your ${provider} keys at Purser expire soon`,
    before: [
      `The ${provider} keys that you keep at Purser for ${mode} mode expire at ${expires_at} UTC, as you told us when you saved them.`,
      `Make new ones at ${provider}, and save them in the place of these:`,
    ],
    link: { label: "How to save provider keys", url: `${publicUrl}/docs` },
    after: ["Keys that have no end are saved without expires_at, and we do not write again."],
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
