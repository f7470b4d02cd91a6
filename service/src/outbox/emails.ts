import { escapeHtml, withoutDirectionControls } from "../foundation/text.ts";
import type { EmailTemplate } from "./enqueue.ts";

/** The values that a template can use. */
export interface EmailFacts {
  /** The server's URL, without a trailing slash. */
  readonly publicUrl: string;
  readonly to: string;
  /** The token in the email's URL. Empty if the email contains no token. */
  readonly token: string;
  /** The values that were enqueued with the email. */
  readonly facts: Readonly<Record<string, string>>;
}

interface MailContent {
  readonly subject: string;
  readonly before: readonly string[];
  readonly link: { readonly label: string; readonly url: string };
  readonly after: readonly string[];
}

const APPROVAL_LINES = [
  ["Request", "title"],
  ["Amount", "amount"],
  ["Payee", "payee"],
  ["Agent", "agent"],
  ["Reason given", "reason"],
  ["Expires at (UTC)", "expires_at"],
] as const;

const templates: Readonly<Record<EmailTemplate, (facts: EmailFacts) => MailContent>> = {
  verify_email: ({ publicUrl, to, token }) => ({
    subject: "Verify your email address for Purser",
    before: [`Someone signed up for Purser with ${to}. If it was you, verify the address:`],
    link: {
      label: "Verify my email address",
      url: `${publicUrl}/api/v1/svc/developers/verify-email?token=${encodeURIComponent(token)}`,
    },
    after: [
      "You can use the link once, within 24 hours.",
      "If it was not you, ignore this email. Without the link, the account cannot get API keys or spend money.",
    ],
  }),
  already_registered: ({ publicUrl, to }) => ({
    subject: "You already have a Purser account",
    before: [
      `Someone tried to sign up for Purser with ${to}. This address already has an account. Nothing was changed.`,
      "If it was you, log in with your existing password:",
    ],
    link: { label: "Log in", url: `${publicUrl}/login` },
    after: [
      "If you have not verified your address, you can request a new verification email on that page.",
      "If it was not you, you do not have to do anything.",
    ],
  }),
  reset_password: ({ publicUrl, to, token }) => ({
    subject: "Choose a new password for Purser",
    before: [`Someone requested a new password for ${to}. If it was you, choose it here:`],
    link: {
      label: "Choose a new password",
      url: `${publicUrl}/login/reset?token=${encodeURIComponent(token)}`,
    },
    after: [
      "You can use the link once, within one hour. It ends all sessions. The page states what happens to your API keys.",
      "If it was not you, ignore this email. Your password is unchanged.",
    ],
  }),
  password_changed: ({ publicUrl, to, facts: { revoked_keys = "0" } }) => ({
    subject: "Your Purser password was changed",
    before: [
      `The password of ${to} was changed with a link that was sent to this address. All sessions were ended.${
        revoked_keys === "0" ? "" : ` Revoked API keys: ${revoked_keys}.`
      }`,
      "If it was not you, another person can read your email. Secure your mailbox first, then choose another password:",
    ],
    link: { label: "Choose another password", url: `${publicUrl}/login/forgot` },
    after: ["If it was you, you do not have to do anything."],
  }),
  revoke_keys: ({ publicUrl, to, token, facts: { keys = "" } }) => ({
    subject: "Check the API keys of your Purser account",
    before: [
      `You logged in to the Purser account of ${to} with a GitHub or Google account for the first time. Its password, its sessions and all other logins were removed, because another person may have created them. Its API keys still work:`,
      keys,
      "If you did not create all of them, revoke them:",
    ],
    link: {
      label: "Review and revoke the keys",
      url: `${publicUrl}/login/revoke-keys?token=${encodeURIComponent(token)}`,
    },
    after: [
      "You can use the link once, within 7 days. It revokes every key that the account has at that time.",
      "If you created all of them, you do not have to do anything.",
    ],
  }),
  second_factor_enabled: ({ publicUrl, to }) => ({
    subject: "Your Purser account has a second factor",
    before: [
      `From now on, logging in as ${to} requires a code from an authenticator app or one of the recovery codes.`,
      "If it was not you, another person is logged in to your account. Choose another password, which ends all sessions:",
    ],
    link: { label: "Choose another password", url: `${publicUrl}/login/forgot` },
    after: ["If it was you, save the recovery codes in a safe place."],
  }),
  second_factor_disabled: ({ publicUrl, to }) => ({
    subject: "Your Purser account no longer has a second factor",
    before: [
      `Logging in as ${to} no longer requires a code.`,
      "If it was not you, choose another password, which ends all sessions. Then set up the second factor again:",
    ],
    link: { label: "Choose another password", url: `${publicUrl}/login/forgot` },
    after: ["If it was you, you do not have to do anything."],
  }),
  identity_linked: ({ publicUrl, to, facts: { provider = "" } }) => ({
    subject: `You can now log in to Purser with ${provider}`,
    before: [
      `A ${provider} account with the verified address ${to} was used to log in to your Purser account. It is now linked to your account.`,
    ],
    link: { label: "Log in", url: `${publicUrl}/login` },
    after: [
      `If it was not you, another person can use that ${provider} account. Secure it, then your mailbox, and end all sessions of your Purser account.`,
    ],
  }),
  identity_unlinked: ({ publicUrl, to, facts: { provider = "" } }) => ({
    subject: `You can no longer log in to Purser with ${provider}`,
    before: [
      `The ${provider} account was unlinked from the Purser account of ${to}. It can no longer log in.`,
      "If it was not you, another person is logged in to your account. Choose another password, which ends all sessions:",
    ],
    link: { label: "Choose another password", url: `${publicUrl}/login/forgot` },
    after: ["If it was you, you do not have to do anything."],
  }),
  provider_key_expiring: ({ publicUrl, facts: { provider = "", mode = "", expires_at = "" } }) => ({
    subject: `Your ${provider} keys at Purser expire soon`,
    before: [
      `The ${provider} keys that you saved at Purser for ${mode} mode expire at ${expires_at} UTC. You set this time when you saved them.`,
      `Create new keys at ${provider} and save them at Purser:`,
    ],
    link: { label: "How to save provider keys", url: `${publicUrl}/docs/reference` },
    after: ["If the keys do not expire, save them without expires_at. You will then get no more reminders."],
  }),
  webhook_disabled: ({ publicUrl, facts: { origin = "", reason = "" } }) => ({
    subject: "Purser has disabled one of your webhooks",
    before: [
      `Purser no longer delivers events to ${origin}, because ${reason}.`,
      "Repair the server, enable the webhook, and replay the events that it has missed:",
    ],
    link: { label: "How to enable it and replay events", url: `${publicUrl}/docs/rules/webhooks` },
    after: ["Events are kept for 30 days."],
  }),
  cap_reached: ({ publicUrl, facts: { project = "", project_id = "", mode = "", percent = "", ...amounts } }) => ({
    subject: `Your project ${project} has used ${percent} percent of its monthly cap`,
    before: [
      `The project ${project} (${mode} mode) has used ${amounts["used"] ?? ""} of the ${amounts["cap"] ?? ""} USD of its monthly cap, ${percent} percent or more. What would exceed the cap is refused, or needs an approval, until ${amounts["resets_at"] ?? ""} (UTC), when the next month begins.`,
      "See what it was spent on, or change the cap:",
    ],
    link: { label: "Open the project", url: `${publicUrl}/dashboard/${mode}/projects/${project_id}` },
    after: ["You can switch these emails off in the settings of the dashboard."],
  }),
  approval_requested: ({ publicUrl, token, facts }) => ({
    subject: `Approval requested: ${facts["title"] ?? ""}`,
    before: [
      `A request in ${facts["mode"] ?? ""} mode is waiting for your decision:`,
      ...APPROVAL_LINES.flatMap(([label, name]) => {
        const value = facts[name] ?? "";
        return value === "" ? [] : [`${label}: ${value}`];
      }),
      "Read the details, then approve or deny:",
    ],
    link: {
      label: "Review the request",
      url: `${publicUrl}/approve/${encodeURIComponent(token)}`,
    },
    after: [
      "Opening the page decides nothing. Anyone who has the link can decide, so do not forward this email.",
      "If you do not decide in time, the request is not carried out.",
    ],
  }),
  approvals_waiting: ({ publicUrl, facts: { requests = "", count = "", first = "" } }) => ({
    subject: `Approvals requested: ${count}`,
    before: [
      `${count} requests are waiting for your decision. Each of them has its page, for which you log in:`,
      ...requests.split("\n"),
    ],
    link: { label: "Review the first request", url: `${publicUrl}/approve/${first}` },
    after: [
      "You get one email for several requests because there were many in a short time. The list contains up to 20.",
      "If you do not decide in time, the requests are not carried out.",
    ],
  }),
};

/** The facts that other people or programs choose. */
const CHOSEN_FACTS: ReadonlySet<string> = new Set(["title", "payee", "agent", "reason", "keys", "project"]);

/**
 * Renders an email as plain text and as HTML with the same content. In HTML, `<bdi>` isolates chosen facts, so that
 * right-to-left characters in them do not reorder the text around them.
 */
export function renderEmail(template: EmailTemplate, { facts, ...others }: EmailFacts) {
  const marked = Object.entries(facts).map(([name, fact]) => {
    const text = withoutDirectionControls(fact);
    return [name, CHOSEN_FACTS.has(name) && text !== "" ? `\u2068${text}\u2069` : text];
  });
  const content = templates[template]({ ...others, facts: Object.fromEntries(marked) });
  const { before, link, after } = content;
  const subject = withoutDirectionControls(content.subject);
  const text = withoutDirectionControls([...before, link.url, ...after].join("\n\n"));
  const paragraphs = [
    ...before.map(isolatedHtml),
    `<a href="${escapeHtml(link.url)}">${escapeHtml(link.label)}</a>`,
    ...after.map(isolatedHtml),
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

function isolatedHtml(text: string): string {
  return escapeHtml(text).replaceAll("\u2068", "<bdi>").replaceAll("\u2069", "</bdi>");
}
