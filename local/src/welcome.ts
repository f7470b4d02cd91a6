import type { DemoPair } from "./demo-developer.ts";
import type { LocalPurser } from "./start-local.ts";

/** The line of contract section 9, for scripts. */
export function jsonLine({ baseUrl, mailboxUrl, sandboxUrl, demo, admin }: LocalPurser): string {
  return JSON.stringify({
    base_url: baseUrl,
    docs_url: `${baseUrl}/docs`,
    mailbox_url: mailboxUrl,
    sandbox_url: sandboxUrl,
    demo,
    admin,
    pid: process.pid,
  });
}

/** What people read once everything runs: where what is, and a first signed request that works as it stands. */
export function welcome(purser: LocalPurser): string {
  const { baseUrl, mailboxUrl, sandboxUrl, demo, admin, logFile } = purser;
  return `
Purser runs.

  API        ${baseUrl}
  Reference  ${baseUrl}/docs
  Mailbox    ${mailboxUrl}
  Sandbox    ${sandboxUrl}   (vendors played on loopback)
  Log        ${logFile}

  Demo developer   ${demo.email}   ${demo.password}
  Test pair        ${demo.test.api_key}
                   ${demo.test.api_secret}
  Live pair        ${demo.live.api_key}
                   ${demo.live.api_secret}
  Admin            ${admin.email}   ${admin.password}
  Admin's codes    ${admin.totp_secret}

A signed request:

${signedCurl(baseUrl, demo.test)}

Ctrl-C stops everything; the data stays.`;
}

function signedCurl(baseUrl: string, pair: DemoPair): string {
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
