import type { DemoKeyPair } from "./demo-developer.ts";
import type { LocalPurser } from "./start-local.ts";

/** Returns the line of JSON that `npm start -- --json` prints, for scripts. */
export function jsonLine({ baseUrl, mailboxUrl, sandboxUrl, networksUrl, demo, admin }: LocalPurser): string {
  return JSON.stringify({
    base_url: baseUrl,
    dashboard_url: `${baseUrl}/dashboard`,
    docs_url: `${baseUrl}/docs`,
    mailbox_url: mailboxUrl,
    sandbox_url: sandboxUrl,
    networks_url: networksUrl,
    demo,
    admin,
    pid: process.pid,
  });
}

/** Returns the text that `npm start` prints: URLs, credentials, and a signed request that a user can paste. */
export function welcome(purser: LocalPurser): string {
  const { baseUrl, mailboxUrl, sandboxUrl, networksUrl, demo, admin, logFile } = purser;
  return `
Purser is running.

  Dashboard  ${baseUrl}/dashboard   (sign in as ${demo.email} with the password ${demo.password})
  Admins     ${baseUrl}/admin
  API        ${baseUrl}
  Documents  ${baseUrl}/docs
  Mailbox    ${mailboxUrl}
  Sandbox    ${sandboxUrl}   (simulated vendors)
  Networks   ${networksUrl}   (local chains; ${sandboxUrl}/networks shows them)
  Log        ${logFile}

  Test key pair    ${demo.test.api_key}
                   ${demo.test.api_secret}
  Live key pair    ${demo.live.api_key}
                   ${demo.live.api_secret}
  Admin            ${admin.email}   ${admin.password}
  Admin's TOTP     ${admin.totp_secret}

A signed request:

${signedCurl(baseUrl, demo.test)}

Ctrl-C stops everything. The data stays in the data folder.`;
}

function signedCurl(baseUrl: string, pair: DemoKeyPair): string {
  return `  KEY=${pair.api_key}
  SECRET=${pair.api_secret}
  NOW=$(date +%s) URL_PATH=/api/v1/svc/projects
  BODY="{\\"name\\":\\"Project $(openssl rand -hex 4)\\"}"
  SIGNING_KEY=$(printf %s "$SECRET" | openssl dgst -sha256 -r | cut -d' ' -f1)
  BODY_HASH=$(printf %s "$BODY" | openssl dgst -sha256 -r | cut -d' ' -f1)
  SIGNATURE=$(printf %s "$NOW.POST.$URL_PATH.$BODY_HASH" | openssl dgst -sha256 -hmac "$SIGNING_KEY" -r | cut -d' ' -f1)
  curl -sS ${baseUrl}$URL_PATH -H "Authorization: $KEY" -H "X-Timestamp: $NOW" -H "X-Nonce: $(openssl rand -hex 16)" \\
    -H "X-Request-Signature: $SIGNATURE" -H 'Content-Type: application/json' -d "$BODY"`;
}
