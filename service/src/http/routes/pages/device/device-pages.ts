import { escapeHtml } from "../../../../foundation/escape-html.ts";
import type { DecidedDeviceLogin, DeviceLogin } from "../../../../modules/developers/index.ts";
import { alertOf, htmlPage } from "../html-page.ts";
import { loginPathFor } from "../login/pending-user-code.ts";

/** For people who are not logged in, or whose browser came from elsewhere and left its cookies at home. */
export function loginRequiredPage(userCode: string): string {
  const again = escapeHtml(`/device?user_code=${encodeURIComponent(userCode)}`);
  const logIn = escapeHtml(loginPathFor(userCode === "" ? undefined : userCode));
  return htmlPage(
    "Log in first",
    `<p>A program that asks for a key shows a code. To approve it, <a href="${logIn}">log in</a>: you come back to this page.</p>
<p>If you are logged in, <a href="${again}">go on</a>.</p>`,
  );
}

export const verificationRequiredPage = htmlPage(
  "Verify your address first",
  "<p>There are no keys before that. The link is in the mail that followed your signup.</p>",
);

/** Asks for the code. It is looked up before anything is decided. */
export function userCodePage({
  email,
  alert,
}: {
  readonly email: string;
  readonly alert?: string;
}): string {
  return htmlPage(
    "Connect a device",
    `${alertOf(alert)}<p>You are logged in as <strong>${escapeHtml(email)}</strong>. Enter the code that your program shows.</p>
<form method="get" action="/device" autocomplete="off">
<label for="user_code">Code</label>
<input id="user_code" name="user_code" required maxlength="50" placeholder="BCDF-GHJK" autocapitalize="characters" spellcheck="false" autofocus>
<button type="submit">Go on</button>
</form>`,
  );
}

type Proof = "password" | "totp_code" | "login";

const PROOF_FIELDS: Readonly<Record<Proof, string>> = {
  password: `<label for="password">Your password, since you logged in more than 15 minutes ago</label>
<input id="password" name="password" type="password" maxlength="512" autocomplete="current-password">
`,
  totp_code: `<label for="totp_code">Or a code of your authenticator app</label>
<input id="totp_code" name="totp_code" inputmode="numeric" pattern="[0-9]{6}" maxlength="6" autocomplete="one-time-code">
`,
  login: `<p>You logged in more than 15 minutes ago. Before you give it a key, <a href="/login">log out</a>, log in again, and come back to this page.</p>
`,
};

/** Who asks, for people to decide. */
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
  /** The form's one-time field. */
  readonly once: string;
  /** What a login that is not recent has to be confirmed with. None: it is recent. */
  readonly proofs: readonly Proof[];
  readonly alert?: string;
}): string {
  const { clientName, network, userAgent, createdAt, scopes } = device;
  const rights =
    scopes.length === 0
      ? "everything but deciding approvals and, with a test key, reading the audit trail"
      : scopes.map((scope) => `<code>${scope}</code>`).join(", ");
  return htmlPage(
    "Give this program a key?",
    `${alertOf(alert)}<p>It calls itself <strong>${isolated(clientName)}</strong>, and wants a key of <strong>${escapeHtml(email)}</strong> that may do ${rights}.</p>
<p>It asked from ${escapeHtml(network ?? "somewhere")} at ${createdAt.toISOString()}${userAgent === null ? "" : `, as <code>${isolated(userAgent)}</code>`}. Programs choose these names themselves.</p>
<p>Only go on if you have just started it yourself, and it shows the code <strong>${escapeHtml(userCode)}</strong>. If somebody sent you here, refuse.</p>
<form method="post" action="/device">
<input type="hidden" name="once" value="${escapeHtml(once)}">
<input type="hidden" name="user_code" value="${escapeHtml(userCode)}">
${proofs.map((proof) => PROOF_FIELDS[proof]).join("")}<button type="submit" name="decision" value="deny" class="primary">Refuse</button>
<button type="submit" name="decision" value="live">Give it a live key</button>
<button type="submit" name="decision" value="test">Give it a test key</button>
</form>`,
  );
}

export function decidedPage({ clientName, key }: DecidedDeviceLogin): string {
  const name = isolated(clientName);
  if (key === null) {
    return htmlPage(
      "Refused",
      `<p><strong>${name}</strong> gets no key. You can close this page.</p>`,
    );
  }
  return htmlPage(
    "The program has its key",
    `<p><strong>${name}</strong> collects a ${key.mode} key within a few seconds. You can close this page. The key is called by that name in the list of your keys, where it can be revoked.</p>`,
  );
}

/** A name that a program chose: whichever way it is written, it turns none of our words around. */
function isolated(name: string): string {
  return `<bdi>${escapeHtml(name)}</bdi>`;
}
