import { escapeHtml, isolate } from "../../../../foundation/text.ts";
import { displayNameOf } from "../../../../foundation/vendors.ts";
import type { IdentityProviderName } from "../../../../foundation/vocabulary.ts";
import type { Verification } from "../../../../modules/developers/email-verification/email-verification.ts";
import type { DeveloperProfile } from "../../../../modules/developers/queries.ts";
import { alertHtml, htmlPage, timeHtml } from "../html-page.ts";

/** The content of the login page. Values are plain text. */
export interface LoginForm {
  readonly publicUrl: string;
  /** The form's CSRF token. */
  readonly once: string;
  readonly providers: readonly IdentityProviderName[];
  /** Whether the visitor has just verified their email address. */
  readonly isVerified?: boolean;
  /** The title and the HTML above the form, on a page that needs a login. */
  readonly title?: string;
  readonly introduction?: string;
  /** The email address of the previous attempt. */
  readonly email?: string;
  /** The reason why the form is shown again. */
  readonly alert?: string;
  /** A captcha challenge that the browser solves before the form can be sent. */
  readonly challenge?: object;
}

/** Returns the login page. Verifying an email address redirects to it. */
export function loginPage(form: LoginForm): string {
  const { isVerified = false, publicUrl } = form;
  const { title, introduction } = isVerified ? VERIFIED : { ...WELCOME, ...form };
  const api = escapeHtml(`${publicUrl}/api/v1/svc/developers`);
  return htmlPage(
    title,
    `${alertHtml(form.alert)}${introduction}
${passwordForm(form)}
${form.providers.map(providerLink).join("\n")}
${signUpHint(api)}`,
  );
}

const WELCOME = {
  title: "Log in to Purser",
  introduction: "<p>Purser provisions services for software agents and limits what they spend.</p>",
};
const VERIFIED = {
  title: "Your email address is verified",
  introduction: "<p>Your account is active. Log in:</p>",
};

function passwordForm({ once, email = "", challenge }: LoginForm): string {
  return `<form method="post" action="/login"${captchaOf(challenge)}>
<input type="hidden" name="once" value="${escapeHtml(once)}">${captchaField(challenge)}
<label for="email">Email address</label>
<input id="email" name="email" type="email" value="${escapeHtml(email)}" required maxlength="254" autocomplete="username" spellcheck="false" autofocus>
<label for="password">Password</label>
<input id="password" name="password" type="password" required maxlength="512" autocomplete="current-password">
<button type="submit">Log in</button>
</form>
<p><a href="/login/forgot">Forgot your password?</a></p>`;
}

function captchaOf(challenge: object | undefined): string {
  return challenge === undefined ? "" : ` data-challenge="${escapeHtml(JSON.stringify(challenge))}"`;
}

function captchaField(challenge: object | undefined): string {
  if (challenge === undefined) return "";
  return `
<input type="hidden" name="captcha_token">
<script type="module" src="/login/captcha/solve.js"></script>`;
}

function providerLink(provider: IdentityProviderName): string {
  return `<p><a href="/login/${provider}">Continue with ${displayNameOf(provider)}</a></p>`;
}

function signUpHint(api: string): string {
  return `<h2>No account yet?</h2>
<p>Continue with a provider above to create one. To use a password, sign up through the API or an SDK, then open the URL in the verification email:</p>
<pre><code>curl ${api}/signup \\
  -H 'content-type: application/json' \\
  -d '{"email":"you@example.com","password":"your password","captcha_token":"…"}'</code></pre>
<p>If the email does not arrive, request a new one:</p>
${newMail(api)}
${firstKey(api)}`;
}

function newMail(api: string): string {
  return `<pre><code>curl ${api}/resend-verification \\
  -H 'content-type: application/json' \\
  -d '{"email":"you@example.com"}'</code></pre>`;
}

function firstKey(api: string): string {
  return `<h2>Your first key pair</h2>
<p>Log in to get an access token, then register to get the first key pair. The secret is shown once.</p>
<pre><code>curl ${api}/login \\
  -H 'content-type: application/json' \\
  -d '{"email":"you@example.com","password":"your password"}'

curl -X POST ${api}/register \\
  -H "authorization: Bearer $ACCESS_TOKEN"</code></pre>
<p>See the <a href="/docs">API reference</a> for all calls.</p>`;
}

/** Shows the logged-in developer and a button to log out. */
export function signedInPage({
  developer,
  once,
  notice,
}: {
  readonly developer: Pick<DeveloperProfile, "email" | "name" | "emailVerifiedAt">;
  /** The CSRF token of the logout form. */
  readonly once: string;
  /** A message about the login, for example that an account was created. Plain text. */
  readonly notice: string;
}): string {
  const { email, name, emailVerifiedAt } = developer;
  const who = name === null ? "" : `${isolate(name)}, `;
  const verify =
    emailVerifiedAt === null
      ? "<p>Your email address is not verified. Follow the link in the email that you received after signup. API keys need a verified address.</p>\n"
      : "";
  return htmlPage(
    "You are logged in",
    `${alertHtml(notice)}<p>${who}<strong>${escapeHtml(email)}</strong></p>
${verify}<p>See the <a href="/docs">API reference</a> to create and use API keys. If a program shows you a code, <a href="/device">enter it here</a>.</p>
<form method="post" action="/login/out">
<input type="hidden" name="once" value="${escapeHtml(once)}">
<button type="submit">Log out</button>
</form>`,
  );
}

/** Shows the form for a login's second factor. */
export function secondFactorPage({
  mfaToken,
  once,
  loginPath,
  alert,
}: {
  readonly mfaToken: string;
  readonly once: string;
  readonly loginPath: string;
  readonly alert: string | undefined;
}): string {
  return htmlPage(
    "Enter your code",
    `${alertHtml(alert)}<p>Your account has a second factor. Enter the code that your authenticator app shows, or one of your recovery codes.</p>
<form method="post" action="/login/code" autocomplete="off">
<input type="hidden" name="once" value="${escapeHtml(once)}">
<input type="hidden" name="mfa_token" value="${escapeHtml(mfaToken)}">
<label for="code">Code</label>
<input id="code" name="code" required maxlength="64" autocomplete="one-time-code" spellcheck="false" autofocus>
<button type="submit">Log in</button>
</form>
<p><a href="${escapeHtml(loginPath)}">Start again</a></p>`,
  );
}

/**
 * Loads the login page again. After a redirect from an identity provider, the browser withholds `SameSite=Strict`
 * cookies. The browser sends these cookies when a page of this site loads the login page.
 */
export function reloadLoginPage(path: string): string {
  const url = escapeHtml(path);
  return htmlPage(
    "You are logged in",
    `<meta http-equiv="refresh" content="0;url=${url}">
<p><a href="${url}">Continue</a></p>`,
  );
}

/** Shown to the visitor who opened the URL in a verification email. Opening it has changed nothing. */
export function verifyEmailPage(token: string, verification: Verification | undefined): string {
  if (verification === undefined) return unusableVerificationPage;
  const { email, verifiedAt } = verification;
  const address = `<strong>${escapeHtml(email)}</strong>`;
  if (verifiedAt !== null) {
    return htmlPage(
      "This address is already verified",
      `<p>${address} was verified at ${timeHtml(verifiedAt)}. <a href="/login">Log in</a></p>
<p>If you did not verify it, or did not choose the password, <a href="/login/forgot">choose a new password</a>. This ends all sessions of the account.</p>`,
    );
  }
  return htmlPage(
    "Verify your email address",
    `<p>Someone signed up for Purser with ${address}. If it was you, verify the address:</p>
<form method="post" action="/api/v1/svc/developers/verify-email">
<input type="hidden" name="token" value="${escapeHtml(token)}">
<button type="submit" class="primary">Verify my email address</button>
</form>
<p>If it was not you, close this page. Nothing has changed.</p>`,
  );
}

const unusableVerificationPage = htmlPage(
  "This link does not work",
  `<p>It is older than 24 hours or incomplete, or another signup with your address was verified.</p>
<ul>
<li>If you have already verified your address, <a href="/login">log in</a>.</li>
<li>If you do not know the password, <a href="/login/forgot">choose a new one</a>. This verifies the address too.</li>
<li>The <a href="/login">login page</a> shows how to request a new email.</li>
</ul>`,
);
