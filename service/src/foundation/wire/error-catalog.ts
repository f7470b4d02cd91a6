interface CatalogEntry {
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  /** True if the code is an OAuth error code, which OAuth clients expect in the member `error`. */
  readonly oauth?: true;
}

/**
 * Every error that a caller can receive (docs/api.md, section 4). Codes are part of the public API: new ones can be
 * added, but none is renamed. `detail` is written for the caller.
 */
export const catalog = {
  authentication_failed: { status: 401, title: "Unauthorized", detail: "Authentication failed." },
  email_not_verified: {
    status: 403,
    title: "Email not verified",
    detail: "The email address is not verified. Open the URL in the verification email.",
  },
  insufficient_scope: {
    status: 403,
    title: "Insufficient scope",
    detail: "The API key does not have the scope that this endpoint requires. Use a key with that scope.",
  },
  admin_review_required: {
    status: 403,
    title: "Another admin required",
    detail: "You have already made this decision. A different admin must confirm it.",
  },
  reauthentication_required: {
    status: 403,
    title: "Recent login required",
    detail: "This change requires a login within the last 15 minutes. Log in again, or send password or totp_code.",
  },
  cross_origin: {
    status: 403,
    title: "Cross-origin request",
    detail:
      "A request with a session cookie must come from this server's own pages. Other clients must send an access token.",
  },
  not_found: { status: 404, title: "Not found", detail: "This path does not exist." },
  developer_not_found: {
    status: 404,
    title: "Not found",
    detail: "This developer does not exist.",
  },
  api_key_not_found: { status: 404, title: "Not found", detail: "This API key does not exist." },
  session_not_found: { status: 404, title: "Not found", detail: "This session does not exist." },
  identity_not_found: {
    status: 404,
    title: "Not found",
    detail: "No account of this identity provider is linked to the developer's account.",
  },
  project_not_found: { status: 404, title: "Not found", detail: "This project does not exist." },
  link_not_found: { status: 404, title: "Not found", detail: "This link does not exist." },
  service_not_found: { status: 404, title: "Not found", detail: "This service does not exist." },
  operation_not_found: {
    status: 404,
    title: "Not found",
    detail: "This operation does not exist.",
  },
  agent_not_found: { status: 404, title: "Not found", detail: "This agent does not exist." },
  agent_suspended: {
    status: 403,
    title: "Agent not active",
    detail: "The agent is not active. Resume it, or use another agent.",
  },
  kya_required: {
    status: 403,
    title: "Agent not known well enough",
    detail: "A policy requires a higher know-your-agent level. Add the missing evidence, then repeat the request.",
  },
  policy_denied: {
    status: 403,
    title: "Policy denied",
    detail: "A policy does not allow this. The decision names its rule.",
  },
  policy_not_found: { status: 404, title: "Not found", detail: "This policy does not exist." },
  approval_not_found: { status: 404, title: "Not found", detail: "This approval does not exist." },
  cap_exceeded: {
    status: 403,
    title: "Cap exceeded",
    detail: "The price exceeds the amount that remains under the cap this month. Raise the cap, or remove a service.",
  },
  payment_method_required: {
    status: 402,
    title: "Payment method required",
    detail:
      "This plan requires a payment method that can be charged, and the project has none. Attach one, then repeat the request.",
  },
  provider_not_linked: {
    status: 409,
    title: "Provider not linked",
    detail: "The project is not linked to this provider. Link the provider first.",
  },
  tos_acceptance_required: {
    status: 409,
    title: "Terms not accepted",
    detail:
      "The current version of the provider's terms has not been accepted. Read the terms, then send their version as accept_terms_version.",
  },
  insufficient_funds: {
    status: 402,
    title: "Insufficient funds",
    detail: "The available balance is less than the required amount. Add funds, or send less.",
  },
  wallet_frozen: {
    status: 403,
    title: "Wallet frozen",
    detail: "The wallet is frozen. Unfreeze it, or use another wallet.",
  },
  wallet_not_found: { status: 404, title: "Not found", detail: "This wallet does not exist." },
  wallet_already_exists: {
    status: 409,
    title: "Wallet already exists",
    detail: "The agent already has a wallet on this network. Use the wallet in wallet_id.",
  },
  live_wallet: {
    status: 403,
    title: "Live wallet",
    detail: "Only test wallets can be funded, and only with a test key.",
  },
  network_not_enabled: {
    status: 422,
    title: "Network not enabled",
    detail: "Wallets on this network are not available. Use another network.",
  },
  fiat_account_not_found: { status: 404, title: "Not found", detail: "This bank account does not exist." },
  bank_link_not_found: {
    status: 404,
    title: "Not found",
    detail:
      "No open link of this account has this public token and bank account, or the public token was used. Start again with link-account.",
  },
  conversion_not_found: { status: 404, title: "Not found", detail: "This conversion does not exist." },
  quote_expired: {
    status: 409,
    title: "Quote expired",
    detail: "The quote was valid for 30 seconds and has expired. Request a new one.",
  },
  kyb_required: {
    status: 403,
    title: "KYB required",
    detail:
      "In live mode this requires a verified business. Send the data of your business in the dashboard, and wait until it is verified.",
  },
  provider_not_configured: {
    status: 409,
    title: "Provider not configured",
    detail: "There are no keys for the provider of this operation. Save your own keys, or ask the operator.",
  },
  unsupported_pair: {
    status: 422,
    title: "Unsupported pair",
    detail: "There is no rate for this pair of currencies.",
  },
  network_unavailable: {
    status: 503,
    title: "Network unavailable",
    detail: "The blockchain network cannot be used. Nothing was paid. Try again later.",
  },
  kill_switch_not_found: {
    status: 404,
    title: "Not found",
    detail: "This kill switch does not exist.",
  },
  payment_not_found: { status: 404, title: "Not found", detail: "This payment does not exist." },
  not_refundable: {
    status: 409,
    title: "Not refundable",
    detail: "Only a payment to a wallet of the same account can be refunded, and only after it was paid.",
  },
  link_in_use: {
    status: 409,
    title: "Link in use",
    detail: "Services of this project use this link. Remove the services first.",
  },
  invalid_state: {
    status: 422,
    title: "Invalid state",
    detail: "The state is unknown, expired or already used. Start the login or link again.",
  },
  not_upgradable: {
    status: 409,
    title: "Plan change not possible",
    detail: "The service cannot change from its plan to the requested plan.",
  },
  provider_error: {
    status: 502,
    title: "Provider error",
    detail:
      "The provider rejected the request or returned an unusable response. Nothing was changed. Check your account at the provider, then repeat the request.",
  },
  provider_unavailable: {
    status: 503,
    title: "Provider unavailable",
    detail: "The provider cannot be reached. Nothing was changed. Try again later.",
  },
  variable_not_found: { status: 404, title: "Not found", detail: "This variable does not exist." },
  method_not_allowed: {
    status: 405,
    title: "Method not allowed",
    detail: "This path does not support this method. The Allow header lists the supported methods.",
  },
  already_exists: { status: 409, title: "Already exists", detail: "This object already exists." },
  conflict: {
    status: 409,
    title: "Conflict",
    detail: "The object's current state does not allow this request.",
  },
  account_changed: {
    status: 409,
    title: "Account changed",
    detail: "The browser is signed in as another account. Load the page again.",
  },
  version_conflict: {
    status: 409,
    title: "Version conflict",
    detail: "The object has changed since you read it. Read it again, then repeat the change.",
  },
  secret_already_issued: {
    status: 409,
    title: "Secret already issued",
    detail:
      "The first response to this request contained a secret, which is returned only once. Create a new one with a new Idempotency-Key.",
  },
  idempotency_in_flight: {
    status: 409,
    title: "Request in progress",
    detail: "The first request with this Idempotency-Key is still being processed. Repeat the request shortly.",
  },
  signature_replayed: {
    status: 409,
    title: "Signature already used",
    detail:
      "An identical request was already sent with this timestamp. Nothing was changed. Sign the request again with a later timestamp, and keep its Idempotency-Key.",
  },
  payload_too_large: {
    status: 413,
    title: "Payload too large",
    detail:
      "The request body is too large. The limit is 16 KiB for public endpoints, 1 MiB for vendors' webhooks and 256 KiB for all others.",
  },
  misdirected_request: {
    status: 421,
    title: "Misdirected request",
    detail: "The Host header must be 127.0.0.1, localhost, [::1] or the public address of this server.",
  },
  expectation_failed: {
    status: 417,
    title: "Expectation failed",
    detail: "The only supported expectation is 100-continue.",
  },
  unsupported_media_type: {
    status: 415,
    title: "Unsupported media type",
    detail:
      "The body's media type or encoding is not supported. Send application/json in UTF-8, without a content encoding. The device login endpoints and HTML forms also accept application/x-www-form-urlencoded.",
  },
  validation_error: {
    status: 422,
    title: "Invalid request",
    detail: "The request contains invalid values, which are listed in errors.",
  },
  invalid_token: {
    status: 422,
    title: "Invalid token",
    detail: "The token is unknown, expired or already used. Request a new email.",
  },
  idempotency_conflict: {
    status: 422,
    title: "Idempotency conflict",
    detail: "This Idempotency-Key was used for a different request. Use a new key.",
  },
  rate_limited: {
    status: 429,
    title: "Too many requests",
    detail: "Too many requests. Wait for the number of seconds in Retry-After, then repeat the request.",
  },
  headers_too_large: {
    status: 431,
    title: "Headers too large",
    detail: "The request's headers are too large. Send fewer or shorter headers.",
  },
  bad_request: { status: 400, title: "Bad request", detail: "The request is not valid HTTP." },
  request_timeout: {
    status: 408,
    title: "Request timeout",
    detail: "The request did not arrive in time. Send it again.",
  },
  internal_error: {
    status: 500,
    title: "Internal error",
    detail: "An internal error occurred. Include the request_id when you contact support.",
  },
  service_unavailable: {
    status: 503,
    title: "Service unavailable",
    detail: "Purser is temporarily unavailable. Nothing was changed. Try again shortly.",
  },
  authorization_pending: {
    status: 400,
    title: "Authorization pending",
    detail: "The device has not been approved yet. Poll again after the interval.",
    oauth: true,
  },
  slow_down: {
    status: 400,
    title: "Polling too often",
    detail: "The device polls too often. Add five seconds to the interval.",
    oauth: true,
  },
  access_denied: {
    status: 400,
    title: "Access denied",
    detail: "The device was denied, or its key was revoked before the device received it.",
    oauth: true,
  },
  expired_token: {
    status: 400,
    title: "Code expired",
    detail: "The device code has expired. Start the device login again.",
    oauth: true,
  },
  invalid_grant: {
    status: 400,
    title: "Invalid code",
    detail: "The device code is unknown, or its key pair has already been returned. Start the device login again.",
    oauth: true,
  },
} as const satisfies Readonly<Record<string, CatalogEntry>>;

/** Returns the errors as rows of a Markdown table. */
export function describeErrors(): string {
  return Object.entries(catalog)
    .map(([code, { status, detail }]) => `| \`${code}\` | ${status} | ${detail} |`)
    .join("\n");
}
