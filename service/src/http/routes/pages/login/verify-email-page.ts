import { escapeHtml } from "../../../../foundation/escape-html.ts";
import type { Verification } from "../../../../modules/developers/index.ts";
import { htmlPage } from "../html-page.ts";

/** Shown to the visitor who opened the URL in a verification email. Opening it has changed nothing. */
export function verifyEmailPage(token: string, verification: Verification | undefined): string {
  if (verification === undefined) return unusablePage;
  const { email, verifiedAt } = verification;
  const address = `<strong>${escapeHtml(email)}</strong>`;
  if (verifiedAt !== null) {
    const time = verifiedAt.toISOString();
    return htmlPage(
      "This address is already verified",
      `<p>${address} was verified at <time datetime="${time}">${time.slice(0, 19).replace("T", " ")} UTC</time>. <a href="/login">Log in</a></p>
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

const unusablePage = htmlPage(
  "This link does not work",
  `<p>It is older than 24 hours or incomplete, or another signup with your address was verified.</p>
<ul>
<li>If you have already verified your address, <a href="/login">log in</a>.</li>
<li>If you do not know the password, <a href="/login/forgot">choose a new one</a>. This verifies the address too.</li>
<li>The <a href="/login">login page</a> shows how to request a new email.</li>
</ul>`,
);
