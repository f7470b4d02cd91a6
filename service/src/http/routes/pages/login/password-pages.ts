import { escapeHtml } from "../../../../foundation/escape-html.ts";
import { alertOf, htmlPage } from "../html-page.ts";

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
export const mailOnItsWayPage = htmlPage(
  "Look into your mailbox",
  `<p>If the address has an account, the mail is on its way. Its link works once, within an hour.</p>
<p><a href="/login">Back to the login</a></p>`,
);

/** Where the mailed link leads: asks for the new password. */
export function resetPasswordPage({
  once,
  token,
  alert,
}: PasswordForm & { readonly token: string }): string {
  return htmlPage(
    "Choose a new password",
    `${alertOf(alert)}<p>It has at least 12 characters. You are logged out everywhere; your API keys go on.</p>
<form method="post" action="/login/reset">
<input type="hidden" name="once" value="${escapeHtml(once)}">
<input type="hidden" name="token" value="${escapeHtml(token)}">
<label for="password">New password</label>
<input id="password" name="password" type="password" required maxlength="512" autocomplete="new-password" autofocus>
<button type="submit">Set the password</button>
</form>`,
  );
}

export const passwordSetPage = htmlPage(
  "Your password is set",
  `<p>Every session was ended. <a href="/login">Log in</a> with the new password.</p>`,
);

export const deadResetLinkPage = htmlPage(
  "This link does not work",
  `<p>It was used before, it is older than an hour, or it was not copied whole. <a href="/login/forgot">Have another mailed</a>.</p>`,
);
