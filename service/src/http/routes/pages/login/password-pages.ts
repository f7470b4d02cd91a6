import { escapeHtml } from "../../../../foundation/escape-html.ts";
import type { KeysOfMailedToken } from "../../../../modules/developers/index.ts";
import { alertOf, htmlPage } from "../html-page.ts";
import { keyList } from "./key-list.ts";

interface PasswordForm {
  /** The form's one-time field. */
  readonly once: string;
  /** Why people see the form again. */
  readonly alert?: string;
}

/** Asks for the address that a link is mailed to. */
export function forgotPasswordPage({
  once,
  email = "",
  alert,
}: PasswordForm & { readonly email?: string }): string {
  return htmlPage(
    "Set a new password",
    `${alertOf(alert)}<p>If the address has an account, a link is mailed to it by which a new password is chosen.</p>
<form method="post" action="/login/forgot">
<input type="hidden" name="once" value="${escapeHtml(once)}">
<label for="email">Email address</label>
<input id="email" name="email" type="email" value="${escapeHtml(email)}" required maxlength="254" autocomplete="username" spellcheck="false" autofocus>
<button type="submit">Mail me a link</button>
</form>
<p><a href="/login">Back to the login</a></p>`,
  );
}

/** The same, whether there is such an account or not. */
export const mailSentPage = htmlPage(
  "Look into your mailbox",
  `<p>If the address has an account, the mail is on its way. Its link works once, within an hour.</p>
<p><a href="/login">Back to the login</a></p>`,
);

/** Where the mailed link leads: asks for the new password. */
export function resetPasswordPage({
  once,
  token,
  alert,
  account,
}: PasswordForm & {
  readonly token: string;
  /** Undefined if the link does not work. */
  readonly account: KeysOfMailedToken | undefined;
}): string {
  return htmlPage(
    "Choose a new password",
    `${alertOf(alert)}<p>It has at least 12 characters. You are logged out everywhere.</p>
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

function consequencesOf(account: KeysOfMailedToken | undefined): string {
  if (account === undefined || account.isProven) return "";
  return "<p>It has not been confirmed that this mailbox and this account belong to the same person. The account's second factor, linked logins and profile are removed.</p>\n";
}

/** What becomes of the API keys: those of a proven account stay, and others go, unless people choose otherwise. */
function keyChoiceOf(account: KeysOfMailedToken | undefined): string {
  if (account === undefined || account.keys.length === 0) return "";
  const choice = account.isProven
    ? { name: "revoke_keys", words: "Revoke these API keys too" }
    : {
        name: "keep_keys",
        words: "Keep these API keys: I created all of them. Otherwise they are revoked.",
      };
  return `<p>API keys of this account:</p>
${keyList(account)}
<label><input type="checkbox" name="${choice.name}" value="yes"> ${choice.words}</label>
`;
}

export const passwordSetPage = htmlPage(
  "Your password is set",
  `<p>Every session was ended. <a href="/login">Log in</a> with the new password.</p>`,
);

export const expiredResetUrlPage = htmlPage(
  "This link does not work",
  `<p>It was used before, it is older than an hour, or it was not copied whole. <a href="/login/forgot">Have another mailed</a>.</p>`,
);
