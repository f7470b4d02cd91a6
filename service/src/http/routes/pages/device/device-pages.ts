import { escapeHtml, isolate } from "../../../../foundation/text.ts";
import type { DecidedDeviceLogin } from "../../../../modules/developers/device-login/decide-device-login.ts";
import type { DeviceLogin } from "../../../../modules/developers/device-login/queries.ts";
import { alertHtml, htmlPage } from "../html-page.ts";

/**
 * Shown above the login form if the request has no valid session cookie. If the user followed a link on another site,
 * the browser withholds `SameSite=Strict` cookies. A user who is logged in can then follow the link, for which the
 * browser sends the cookies.
 */
export function loginRequired(userCode: string) {
  const retry = escapeHtml(`/device?user_code=${encodeURIComponent(userCode)}`);
  return {
    title: "Log in first",
    introduction: `<p>If you are logged in already, <a href="${retry}">continue</a>. Otherwise log in to approve or deny a program that requests an API key:</p>`,
  };
}

export const verificationRequiredPage = htmlPage(
  "Verify your email address first",
  "<p>API keys need a verified address. Follow the link in the email that you received after signup.</p>",
);

/** Shows a form for a device's user code. */
export function userCodePage(email: string, alert?: string): string {
  return htmlPage(
    "Connect a device",
    `${alertHtml(alert)}<p>You are logged in as <strong>${escapeHtml(email)}</strong>. Enter the code that the program shows.</p>
<form method="get" action="/device" autocomplete="off">
<label for="user_code">Code</label>
<input id="user_code" name="user_code" required maxlength="50" placeholder="BCDF-GHJK" autocapitalize="characters" spellcheck="false" autofocus>
<button type="submit">Continue</button>
</form>`,
  );
}

type Proof = "password" | "totp_code" | "login";

const PROOF_FIELDS: Readonly<Record<Proof, string>> = {
  password: `<label for="password">Your password (you logged in more than 15 minutes ago)</label>
<input id="password" name="password" type="password" maxlength="512" autocomplete="current-password">
`,
  totp_code: `<label for="totp_code">Or a code from your authenticator app</label>
<input id="totp_code" name="totp_code" inputmode="numeric" maxlength="64" autocomplete="one-time-code">
`,
  login: `<p>You logged in more than 15 minutes ago. To approve, <a href="/login">log out</a>, log in again and return to this page.</p>
`,
};

/** Shows which device requests a key, with buttons to deny or approve. */
export function decideDevicePage({
  device,
  userCode,
  email,
  once,
  proofs,
  alert,
}: {
  readonly device: DeviceLogin;
  readonly userCode: string;
  readonly email: string;
  /** The form's CSRF token. */
  readonly once: string;
  /** The ways in which the user can confirm the login. Empty if the login is recent. */
  readonly proofs: readonly Proof[];
  readonly alert: string | undefined;
}): string {
  const { clientName, network, userAgent, createdAt, scopes } = device;
  const permissions =
    scopes.length === 0
      ? "all scopes except <code>approvals:write</code> and, for a test key, <code>audit:read</code>"
      : scopes.map((scope) => `<code>${scope}</code>`).join(", ");
  return htmlPage(
    "Give this program an API key?",
    `${alertHtml(alert)}<p>A program named <strong>${isolate(clientName)}</strong> requests an API key for <strong>${escapeHtml(email)}</strong> with ${permissions}.</p>
<p>The request came from ${escapeHtml(network ?? "an unknown network")} at ${createdAt.toISOString()}${userAgent === null ? "" : `, as <code>${isolate(userAgent)}</code>`}. Programs choose these names themselves.</p>
<p>Approve only if you have just started the program yourself and it shows the code <strong>${escapeHtml(userCode)}</strong>. If another person sent you here, deny.</p>
<form method="post" action="/device">
<input type="hidden" name="once" value="${escapeHtml(once)}">
<input type="hidden" name="user_code" value="${escapeHtml(userCode)}">
${proofs.map((proof) => PROOF_FIELDS[proof]).join("")}<button type="submit" name="decision" value="deny" class="primary">Deny</button>
<button type="submit" name="decision" value="live">Approve with a live key</button>
<button type="submit" name="decision" value="test">Approve with a test key</button>
</form>`,
  );
}

export function decidedPage({ clientName, key }: DecidedDeviceLogin): string {
  const name = isolate(clientName);
  if (key === null) {
    return htmlPage("Denied", `<p><strong>${name}</strong> does not receive an API key. You can close this page.</p>`);
  }
  return htmlPage(
    "Approved",
    `<p><strong>${name}</strong> receives a ${key.mode} key within a few seconds. You can close this page. The key has this name in the list of your API keys, where you can revoke it.</p>`,
  );
}
