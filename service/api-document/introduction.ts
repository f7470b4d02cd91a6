import { describeErrors } from "../src/foundation/errors.ts";

/** The `info.description` of the OpenAPI document in Markdown, shown as the first page of the API reference. */
export const INTRODUCTION = `Purser provisions services, such as databases, for software agents and limits what the agents \
spend. It stores the credentials of these services encrypted and returns them as environment variables.

**Base URL:** \`/api/v1/svc\` on this server. Requests and responses are JSON in UTF-8 with \`snake_case\` names.

## Sign a request

A key pair consists of an \`api_key\` and an \`api_secret\`. The secret signs requests and is never sent.

1. Set \`timestamp\` to the current Unix time in seconds.
2. Set \`nonce\` to a new random string of 16 to 128 characters, for example a UUID.
3. Compute \`signing_key\`: the SHA-256 of the \`api_secret\` text, in lowercase hexadecimal.
4. Compute \`body_hash\`: the SHA-256 of the body's bytes, in lowercase hexadecimal. Without a body, hash the empty string.
5. Build the canonical string. The path starts with \`/api/v1/svc\` and includes the query string. A path without
   the query string is also accepted.

   \`<timestamp>.<METHOD>.<path>.<body_hash>\`
6. Compute \`signature\`: the HMAC-SHA256 of the canonical string, in lowercase hexadecimal. The HMAC key is the text of
   \`signing_key\`.
7. Send the request with these headers:

| Header | Value |
|---|---|
| \`Authorization\` | \`api_key\`, without \`Bearer\` |
| \`X-Timestamp\` | \`timestamp\` |
| \`X-Nonce\` | \`nonce\` |
| \`X-Request-Signature\` | \`signature\` |

The server accepts a timestamp that differs from its clock by at most 30 seconds. The TypeScript SDK signs requests for you.
\`POST /developers/me/keys/{key_id}/test-signature\` returns the canonical strings that the server computes for a request:
\`canonical\` is the string without the query string, and \`also_accepted\` contains the string with the query string.

## Errors

Every error is an RFC 9457 problem with the media type \`application/problem+json\`. Branch on its \`code\`. \`retryable\` states
whether the same request can succeed later, and \`request_id\` identifies the request when you contact support.

| Code | Status | Default detail |
|---|---|---|
${describeErrors()}

## Further reading

[The documents](/docs) describe the rules of the calls, with one page for each topic: credentials, Ed25519 signatures, idempotency,
rate limits, pagination, modes, scopes and others. They are in \`docs/rules\` of Purser's repository.
`;

/** The tags of the API reference, in display order. */
export const TAGS = [
  {
    name: "Developers",
    description: "Sign up, verify an email address, read and change a profile.",
  },
  {
    name: "Sessions",
    description: "Log in with a password, refresh tokens, list and end sessions.",
  },
  {
    name: "Identities",
    description: "Log in with a GitHub or Google account, and list or unlink linked accounts.",
  },
  { name: "Second factor", description: "Set up one-time passwords (TOTP) and log in with them." },
  {
    name: "Device login",
    description: "Issue a key pair to a program, such as a CLI, after the developer approves it (RFC 8628).",
  },
  { name: "API keys", description: "Create, rotate and revoke the key pairs that sign requests." },
  {
    name: "Provider keys",
    description: "Save your own API keys for third-party vendors, encrypted.",
  },
  {
    name: "Projects",
    description: "Create and manage projects, which contain services and variables and have a monthly cap.",
  },
  {
    name: "Agents",
    description: "Create software agents, suspend and revoke them, and prove how well they are known.",
  },
  {
    name: "Wallets",
    description: "Create wallets of agents, read and change them, and fund test wallets.",
  },
  {
    name: "Services",
    description: "Add resources from providers, such as databases, to a project.",
  },
  { name: "Links", description: "Connect a project to your account at a provider." },
  {
    name: "Variables",
    description: "Set a project's variables and read env bundles, which contain all variables of an environment.",
  },
  { name: "Billing", description: "Attach payment methods to a project." },
  { name: "Catalog", description: "Browse the providers with their services, plans and prices." },
  {
    name: "Policies",
    description: "Decide what agents can do, and try policies against past operations.",
  },
  {
    name: "Operations",
    description: "Read the progress of long-running work, such as adding a service.",
  },
  {
    name: "Payments",
    description: "Pay from agents' wallets under their policies and budgets.",
  },
  {
    name: "Fiat",
    description: "Link bank accounts, and convert dollars into stablecoins and back.",
  },
  {
    name: "Approvals",
    description: "Read what waits for a person's decision, and approve or deny it.",
  },
  {
    name: "Events",
    description: "Read what has happened: as a list, one by one, or as a stream.",
  },
  {
    name: "Webhooks",
    description: "Have events sent to your server, test it, and replay what it has missed.",
  },
  {
    name: "Kill switch",
    description: "Stop an agent, a project or the whole account at once, with a signed report.",
  },
  { name: "Audit", description: "Read, export and verify the audit chains of your account." },
  { name: "Limits", description: "Get the rate limits of the calling key and the server's time." },
  {
    name: "Vendor webhooks",
    description: "Receive the reports of vendors, such as Stripe, that their objects have changed.",
  },
  { name: "Admin", description: "For Purser's operators: review developers and their KYB status." },
];
