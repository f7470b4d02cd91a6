import { escapeHtml } from "../../../../foundation/text.ts";
import type { KeysOfEmailedToken } from "../../../../modules/developers/keys/emailed-keys.ts";
import { alertHtml, htmlPage } from "../html-page.ts";
import { keyList } from "./revoke-keys.ts";

interface PasswordForm {
  /** The form's CSRF token. */
  readonly once: string;
  /** The reason why the form is shown again. */
  readonly alert?: string | undefined;
}

/** Shows the form that requests a password reset email. */
export function forgotPasswordPage({ once, email = "", alert }: PasswordForm & { readonly email?: string }): string {
  return htmlPage(
    "Set a new password",
    `${alertHtml(alert)}<p>If the address has an account, Purser emails a link to it. Use the link to choose a new password.</p>
<form method="post" action="/login/forgot">
<input type="hidden" name="once" value="${escapeHtml(once)}">
<label for="email">Email address</label>
<input id="email" name="email" type="email" value="${escapeHtml(email)}" required maxlength="254" autocomplete="username" spellcheck="false" autofocus>
<button type="submit">Email me a link</button>
</form>
<p><a href="/login">Back to login</a></p>`,
  );
}

/** The page is the same for every address, so that it does not reveal whether the address has an account. */
export const emailSentPage = htmlPage(
  "Check your mailbox",
  `<p>If the address has an account, the email is on its way. Its link works once, for one hour.</p>
<p><a href="/login">Back to login</a></p>`,
);

/** Shows the form for the new password. The URL in the reset email opens it. */
export function resetPasswordPage({
  once,
  token,
  alert,
  account,
}: PasswordForm & {
  readonly token: string;
  /** The account that the URL's token belongs to. Undefined if the token is invalid. */
  readonly account: KeysOfEmailedToken | undefined;
}): string {
  return htmlPage(
    "Choose a new password",
    `${alertHtml(alert)}<p>Use at least 12 characters. Setting the password ends all your sessions.</p>
${consequencesOf(account)}
<form method="post" action="/login/reset">
<input type="hidden" name="once" value="${escapeHtml(once)}">
<input type="hidden" name="token" value="${escapeHtml(token)}">
<label for="password">New password</label>
<input id="password" name="password" type="password" required maxlength="512" autocomplete="new-password" autofocus>
${keyChoiceOf(account)}<button type="submit">Set the password</button>
</form>`,
  );
}

function consequencesOf(account: KeysOfEmailedToken | undefined): string {
  if (account === undefined || account.isProven) return "";
  return "<p>Purser does not know whether this account was created by the owner of this mailbox. Setting the password removes the account's second factor, linked logins and profile.</p>\n";
}

/**
 * Returns a checkbox with which the user keeps or revokes the account's API keys. By default, the keys of a proven
 * account are kept and those of an unproven account are revoked (docs/api.md, section 16.1).
 */
function keyChoiceOf(account: KeysOfEmailedToken | undefined): string {
  if (account === undefined || account.keys.length === 0) return "";
  const choice = account.isProven
    ? { name: "revoke_keys", label: "Revoke these API keys too" }
    : {
        name: "keep_keys",
        label: "Keep these API keys: I created all of them. Otherwise they are revoked.",
      };
  return `<p>API keys of this account:</p>
${keyList(account)}
<label><input type="checkbox" name="${choice.name}" value="yes"> ${choice.label}</label>
`;
}

export const passwordSetPage = htmlPage(
  "Your password is set",
  `<p>All your sessions are ended. <a href="/login">Log in</a> with the new password.</p>`,
);

export const expiredResetUrlPage = htmlPage(
  "This link does not work",
  `<p>It was used before, is older than an hour, or is incomplete. <a href="/login/forgot">Request a new one</a>.</p>`,
);
