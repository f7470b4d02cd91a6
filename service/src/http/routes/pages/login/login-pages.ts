import { escapeHtml } from "../../../../foundation/escape-html.ts";
import type { IdentityProviderName } from "../../../../foundation/vocabulary.ts";
import { type DeveloperProfile, PROVIDER_NAMES } from "../../../../modules/developers/index.ts";
import { alertOf, htmlPage } from "../html-page.ts";

/** What the link of a verification mail has come to. */
export type Verdict = "verified" | "refused" | "none";

/** The form's address and what came of it, as the login page shows them. Escaped here. */
export interface LoginForm {
  readonly publicUrl: string;
  /** The form's one-time field. */
  readonly once: string;
  readonly providers: readonly IdentityProviderName[];
  readonly verdict?: Verdict;
  /** As it was typed the last time. The password never is. */
  readonly email?: string;
  /** Why people see the form again. */
  readonly alert?: string;
  /** A challenge for their browser to solve before the form can be sent. */
  readonly challenge?: object;
}

/** Where developers log in, and where the link of a verification mail ends. */
export function loginPage(form: LoginForm): string {
  const { verdict = "none", publicUrl } = form;
  const api = escapeHtml(`${publicUrl}/api/v1/svc/developers`);
  return htmlPage(
    TITLES[verdict],
    `${alertOf(form.alert)}${openingOf(verdict, api)}
${passwordForm(form)}
${form.providers.map(providerLink).join("\n")}
${signUpHint(api)}`,
  );
}

const TITLES: Readonly<Record<Verdict, string>> = {
  verified: "Your email address is verified",
  refused: "This link does not work",
  none: "Log in to Purser",
};

function openingOf(verdict: Verdict, api: string): string {
  if (verdict === "verified") return "<p>Your account is active. Log in:</p>";
  if (verdict === "none") {
    return "<p>Purser keeps the money and the provisions of software agents.</p>";
  }
  return `<p>It was used before, it is older than 24 hours, or it was not copied whole. If your address is verified already, just log in. Otherwise have another mail sent:</p>
${newMail(api)}`;
}

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
  return challenge === undefined
    ? ""
    : ` data-challenge="${escapeHtml(JSON.stringify(challenge))}"`;
}

function captchaField(challenge: object | undefined): string {
  if (challenge === undefined) return "";
  return `
<input type="hidden" name="captcha_token">
<script type="module" src="/login/captcha/solve.js"></script>`;
}

function providerLink(provider: IdentityProviderName): string {
  return `<p><a href="/login/${provider}">Continue with ${PROVIDER_NAMES[provider]}</a></p>`;
}

function signUpHint(api: string): string {
  return `<h2>No account yet?</h2>
<p>Whoever continues with a provider above gets one. With a password, sign up through the API or an SDK; the link in the mail that follows ends here:</p>
<pre><code>curl ${api}/signup \\
  -H 'content-type: application/json' \\
  -d '{"email":"you@example.com","password":"your password","captcha_token":"…"}'</code></pre>
<p>If that mail never came, have another sent:</p>
${newMail(api)}
${firstKey(api)}`;
}

function newMail(api: string): string {
  return `<pre><code>curl ${api}/resend-verification \\
  -H 'content-type: application/json' \\
  -d '{"email":"you@example.com"}'</code></pre>`;
}

function firstKey(api: string): string {
  return `<h2>The first key pair</h2>
<p>Programs log in for an access token, then register for the first key pair. The secret is shown once.</p>
<pre><code>curl ${api}/login \\
  -H 'content-type: application/json' \\
  -d '{"email":"you@example.com","password":"your password"}'

curl -X POST ${api}/register \\
  -H "authorization: Bearer $ACCESS_TOKEN"</code></pre>
<p>The <a href="/docs">API reference</a> tells the rest.</p>`;
}

/** Who is logged in, and how to end that. */
export function signedInPage({
  developer,
  once,
  news = "",
}: {
  readonly developer: Pick<DeveloperProfile, "email" | "name" | "emailVerifiedAt">;
  /** The one-time field of the form that logs out. */
  readonly once: string;
  /** What the login has changed, in words. */
  readonly news?: string;
}): string {
  const { email, name, emailVerifiedAt } = developer;
  const who = name === null ? "" : `${escapeHtml(name)}, `;
  const verify =
    emailVerifiedAt === null
      ? "<p>Your address is not verified: the link is in the mail that followed your signup. Until then there are no keys.</p>\n"
      : "";
  return htmlPage(
    "You are logged in",
    `${alertOf(news)}<p>${who}<strong>${escapeHtml(email)}</strong></p>
${verify}<p>The <a href="/docs">API reference</a> tells how keys are made and used. A program that asks for a key shows a code: <a href="/device">enter it here</a>.</p>
<form method="post" action="/login/out">
<input type="hidden" name="once" value="${escapeHtml(once)}">
<button type="submit">Log out</button>
</form>`,
  );
}

/** The second step of a login, for accounts that have one. It is sent to `/login/code`. */
export function secondFactorPage({
  mfaToken,
  once,
  loginPath,
  alert = "",
}: {
  readonly mfaToken: string;
  readonly once: string;
  /** Where another login begins. */
  readonly loginPath: string;
  readonly alert?: string;
}): string {
  return htmlPage(
    "Enter your code",
    `${alertOf(alert)}<p>Your account has a second factor. Enter the code that your device shows now, or one of your recovery codes.</p>
<form method="post" action="/login/code" autocomplete="off">
<input type="hidden" name="once" value="${escapeHtml(once)}">
<input type="hidden" name="mfa_token" value="${escapeHtml(mfaToken)}">
<label for="code">Code</label>
<input id="code" name="code" required maxlength="64" autocomplete="one-time-code" spellcheck="false" autofocus>
<button type="submit">Log in</button>
</form>
<p><a href="${escapeHtml(loginPath)}">Begin again</a></p>`,
  );
}

/** Navigates to the login page once more, from a page of ours. */
export const reloadLoginPage = htmlPage(
  "You are logged in",
  `<meta http-equiv="refresh" content="0;url=/login">
<p><a href="/login">Continue</a></p>`,
);

/** Why a login came to nothing. */
export function failedLoginPage(title: string, why: string): string {
  return htmlPage(
    escapeHtml(title),
    `<p>${escapeHtml(why)}</p>\n<p><a href="/login">Back to the login</a></p>`,
  );
}
