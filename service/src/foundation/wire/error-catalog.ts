interface CatalogEntry {
  readonly status: number;
  /** Default: the code in words. */
  readonly title?: string;
  /** What happened, in words for the caller. */
  readonly detail: string;
  /** The usual cause, for the page at `/errors/{code}`. */
  readonly why: string;
  /** What the caller can do. Sent after the detail, except with 401 and 404. */
  readonly next: string;
  /** True if the code is an OAuth error code, which OAuth clients expect in the member `error`. */
  readonly oauth?: true;
}

function notFound(
  detail: string,
  next = "Check the id or name, and the mode of the credential.",
  why = "It was deleted, belongs to another account or mode, or the key is not bound to its agent or project.",
): CatalogEntry {
  return { status: 404, title: "Not found", detail, why, next };
}

const OAUTH = { status: 400, oauth: true } as const;

/** Every error that a caller can receive (docs/rules/errors.md). Codes are part of the API: none is renamed. */
export const catalog = {
  authentication_failed: {
    status: 401,
    title: "Unauthorized",
    detail: "Authentication failed.",
    why: "The key, token, signature or timestamp was rejected. No response says which, because attackers read it too.",
    next: "Requests in the dashboard, or GET /developers/me/auth-failures with another key, show the reason.",
  },
  email_not_verified: {
    status: 403,
    detail: "The email address is not verified.",
    why: "An account can do little until its email address is verified.",
    next: "Open the URL in the verification email.",
  },
  insufficient_scope: {
    status: 403,
    detail: "The API key does not have the scope that this endpoint requires.",
    why: "A key can do only what its scopes allow, and only for the agents and projects to which it is bound.",
    next: "Use a key with that scope.",
  },
  admin_review_required: {
    status: 403,
    title: "Another admin required",
    detail: "You have already made this decision.",
    why: "Two admins must agree, so that one account is not enough.",
    next: "A different admin must confirm it.",
  },
  reauthentication_required: {
    status: 403,
    title: "Recent login required",
    detail: "This change requires a login within the last 15 minutes.",
    why: "The session is older, and this change could lock you out of your account.",
    next: "Log in again, or send password or totp_code.",
  },
  cross_origin: {
    status: 403,
    title: "Cross-origin request",
    detail: "A request with a session cookie must come from this server's own pages.",
    why: "Another site could otherwise make your browser send requests in your name.",
    next: "Other clients must send an access token.",
  },
  not_found: notFound(
    "This path does not exist.",
    "Check the path and its version. It must have no trailing slash and no percent-encoding.",
    "The path is misspelled, or this version of the server does not have it.",
  ),
  developer_not_found: notFound("This developer does not exist."),
  api_key_not_found: notFound("This API key does not exist."),
  session_not_found: notFound("This session does not exist."),
  identity_not_found: notFound("No account of this identity provider is linked to the developer's account."),
  project_not_found: notFound("This project does not exist."),
  link_not_found: notFound("This link does not exist."),
  service_not_found: notFound("This service does not exist."),
  operation_not_found: notFound("This operation does not exist."),
  agent_not_found: notFound("This agent does not exist."),
  agent_suspended: {
    status: 403,
    title: "Agent not active",
    detail: "The agent is not active.",
    why: "The agent is suspended, for example by a kill switch, or it is revoked or expired.",
    next: "Resume it, or use another agent.",
  },
  kya_required: {
    status: 403,
    title: "Agent not known well enough",
    detail: "A policy requires a higher know-your-agent level.",
    why: "The decision in the response names the required level, the agent's level, and the missing evidence.",
    next: "Add the missing evidence, then repeat the request.",
  },
  policy_denied: {
    status: 403,
    detail: "A policy does not allow this. The decision names its rule.",
    why: "A rule denies requests such as this one: for its amount, its payee, its network or its time.",
    next: "Send a request that the rule allows, or let the developer change the policy.",
  },
  policy_not_found: notFound("This policy does not exist."),
  approval_not_found: notFound("This approval does not exist."),
  cap_exceeded: {
    status: 403,
    detail: "The price exceeds the amount that remains under the cap this month.",
    why: "Projects, and providers in them, have monthly caps. The decision in the response has the cap and what is used.",
    next: "Raise the cap, or remove a service.",
  },
  payment_method_required: {
    status: 402,
    detail: "This plan requires a payment method that can be charged, and the project has none.",
    why: "The plan has a price, and the project has no card, or an invoice was not paid.",
    next: "Attach one, then repeat the request.",
  },
  provider_not_linked: {
    status: 409,
    detail: "The project is not linked to this provider.",
    why: "Purser creates services in an account at the provider, to which this project has no access yet.",
    next: "Link the provider first.",
  },
  tos_acceptance_required: {
    status: 409,
    title: "Terms not accepted",
    detail: "The current version of the provider's terms has not been accepted.",
    why: "A service is created only after the provider's terms were accepted, and they can change.",
    next: "Read the terms, then send their version as accept_terms_version.",
  },
  insufficient_funds: {
    status: 402,
    detail: "The available balance is less than the required amount.",
    why: "What other payments have reserved is not available. The decision in the response has both amounts.",
    next: "Add funds, or send less.",
  },
  wallet_frozen: {
    status: 403,
    detail: "The wallet is frozen.",
    why: "The developer, a kill switch or an admin froze the wallet. The wallet shows the reason.",
    next: "Unfreeze it, or use another wallet.",
  },
  wallet_not_found: notFound("This wallet does not exist."),
  wallet_already_exists: {
    status: 409,
    detail: "The agent already has a wallet on this network.",
    why: "An agent has at most one wallet on each network in each mode.",
    next: "Use the wallet in wallet_id.",
  },
  live_wallet: {
    status: 403,
    detail: "Only test wallets can be funded, and only with a test key.",
    why: "Test tokens have no value. A live wallet has real money.",
    next: "Use a test key, or send tokens to the address of the live wallet.",
  },
  network_not_enabled: {
    status: 422,
    detail: "Wallets on this network are not available.",
    why: "The operator of this server has not enabled the network.",
    next: "Use another network.",
  },
  fiat_account_not_found: notFound("This bank account does not exist."),
  bank_link_not_found: notFound(
    "No open link has this public token and bank account, or the token was used. Start again with link-account.",
  ),
  conversion_not_found: notFound("This conversion does not exist."),
  quote_expired: {
    status: 409,
    detail: "The quote was valid for 30 seconds and has expired.",
    why: "Exchange rates change, so a quote is kept for a short time only.",
    next: "Request a new one.",
  },
  kyb_required: {
    status: 403,
    title: "KYB required",
    detail: "In live mode this requires a verified business.",
    why: "The operator of this server must know the business behind an account (know your business).",
    next: "Send the data of your business in the dashboard, and wait until it is verified.",
  },
  provider_not_configured: {
    status: 409,
    detail: "There are no keys for the provider of this operation.",
    why: "Neither the account nor the operator has saved keys for the provider in this mode.",
    next: "Save your own keys, or ask the operator.",
  },
  unsupported_pair: {
    status: 422,
    detail: "There is no rate for this pair of currencies.",
    why: "Only some currencies can be converted into each other.",
    next: "Use usd with usdc, usdt or pyusd, or usdc with eur, mxn, brl or gbp.",
  },
  network_unavailable: {
    status: 503,
    detail: "The blockchain network cannot be used. Nothing was paid.",
    why: "The network does not answer, or its fees cannot be determined.",
    next: "Try again later.",
  },
  kill_switch_not_found: notFound("This kill switch does not exist."),
  event_not_found: notFound("This event does not exist. Events are deleted after 30 days."),
  webhook_not_found: notFound("This webhook does not exist."),
  payment_not_found: notFound("This payment does not exist."),
  not_refundable: {
    status: 409,
    detail: "Only a paid payment to a wallet of the same account can be refunded.",
    why: "The wallet that received the payment pays the refund, and Purser controls only wallets of the account.",
    next: "Wait until the payment is paid, or ask the payee to pay it back.",
  },
  link_in_use: {
    status: 409,
    detail: "Services of this project use this link.",
    why: "Without the link, Purser could no longer reach these services.",
    next: "Remove the services first.",
  },
  invalid_state: {
    status: 422,
    detail: "The state is unknown, expired or already used.",
    why: "A login or link with a provider must be completed within ten minutes, and only once.",
    next: "Start the login or link again.",
  },
  not_upgradable: {
    status: 409,
    title: "Plan change not possible",
    detail: "The service cannot change from its plan to the requested plan.",
    why: "Not every provider can change a plan, and not every plan can be changed.",
    next: "Choose one of the service's allowed_updates.",
  },
  provider_error: {
    status: 502,
    detail: "The provider rejected the request or returned an unusable response. Nothing was changed.",
    why: "Often the account at the provider has reached a limit, or its access was revoked.",
    next: "Check your account at the provider, then repeat the request.",
  },
  provider_unavailable: {
    status: 503,
    detail: "The provider cannot be reached. Nothing was changed.",
    why: "The provider did not answer in time.",
    next: "Try again later.",
  },
  variable_not_found: notFound("This variable does not exist."),
  method_not_allowed: {
    status: 405,
    detail: "This path does not support this method.",
    why: "The path exists, but not for this method, such as GET or POST.",
    next: "The Allow header lists the supported methods.",
  },
  already_exists: {
    status: 409,
    detail: "This object already exists.",
    why: "Another object has the same name, id or content.",
    next: "Choose another name, or use the existing object.",
  },
  conflict: {
    status: 409,
    detail: "The object's current state does not allow this request.",
    why: "For example, another operation of the object is running, or a limit is reached.",
    next: "Read the object, wait or change its state, then repeat the request.",
  },
  account_changed: {
    status: 409,
    detail: "The browser is signed in as another account.",
    why: "Another tab has signed in since this page was loaded.",
    next: "Load the page again.",
  },
  version_conflict: {
    status: 409,
    detail: "The object has changed since you read it.",
    why: "Someone else changed it first, and your request would overwrite that change.",
    next: "Read it again, then repeat the change.",
  },
  secret_already_issued: {
    status: 409,
    detail: "The first response to this request contained a secret, which is returned only once.",
    why: "The stored response does not contain the secret, so it cannot be sent again.",
    next: "Create a new one with a new Idempotency-Key.",
  },
  idempotency_in_flight: {
    status: 409,
    title: "Request in progress",
    detail: "The first request with this Idempotency-Key is still being processed.",
    why: "Two requests with one key never run at the same time, so that nothing happens twice.",
    next: "Repeat the request shortly.",
  },
  signature_replayed: {
    status: 409,
    title: "Signature already used",
    detail: "An identical request was already sent with this timestamp. Nothing was changed.",
    why: "Identical requests of one second have one signature, and a copy of a request must have no effect.",
    next: "Sign the request again with a later timestamp, and keep its Idempotency-Key.",
  },
  payload_too_large: {
    status: 413,
    detail: "The request body is too large.",
    why: "The endpoint accepts no bodies of this size.",
    next: "The limit is 16 KiB for public endpoints, 1 MiB for vendors' webhooks and 256 KiB for all others.",
  },
  misdirected_request: {
    status: 421,
    detail: "The Host header must be 127.0.0.1, localhost, [::1] or the public address of this server.",
    why: "No other names are accepted, so that no website can reach this server through your browser.",
    next: "Use the URL that the server prints when it starts.",
  },
  expectation_failed: {
    status: 417,
    detail: "The only supported expectation is 100-continue.",
    why: "The request has an Expect header with another value.",
    next: "Remove the header.",
  },
  unsupported_media_type: {
    status: 415,
    detail: "The body's media type or encoding is not supported.",
    why: "The Content-Type header is missing or wrong, or the body is compressed.",
    next: "Send application/json in UTF-8, without a content encoding. Device login and HTML forms also accept application/x-www-form-urlencoded.",
  },
  validation_error: {
    status: 422,
    title: "Invalid request",
    detail: "The request contains invalid values, which are listed in errors.",
    why: "A value is missing, is not in the documented format or range, or the field is unknown.",
    next: "Correct them, then send the request again.",
  },
  invalid_token: {
    status: 422,
    detail: "The token is unknown, expired or already used.",
    why: "The URL in an email is valid for a limited time and can be used once.",
    next: "Request a new email.",
  },
  idempotency_conflict: {
    status: 422,
    detail: "This Idempotency-Key was used for a different request.",
    why: "A key belongs to one request with one body, and returns its response.",
    next: "To get that response, repeat the request exactly. Only another request needs a new key.",
  },
  rate_limited: {
    status: 429,
    title: "Too many requests",
    detail: "Too many requests.",
    why: "Each account, key and network can send a limited number of requests in a minute.",
    next: "Wait for the number of seconds in Retry-After, then repeat the request.",
  },
  headers_too_large: {
    status: 431,
    detail: "The request's headers are too large.",
    why: "Cookies, long URLs and large tokens count too.",
    next: "Send fewer or shorter headers.",
  },
  bad_request: {
    status: 400,
    detail: "The request is not valid HTTP.",
    why: "The server could not read the request line or the headers.",
    next: "Check the HTTP client, and any proxy in between.",
  },
  request_timeout: {
    status: 408,
    detail: "The request did not arrive in time.",
    why: "A request must arrive completely within 30 seconds.",
    next: "Send it again.",
  },
  internal_error: {
    status: 500,
    detail: "An internal error occurred.",
    why: "This is a bug of Purser or a failure of its server, not of your request.",
    next: "Repeat the request with its Idempotency-Key. Include the request_id when you contact support.",
  },
  service_unavailable: {
    status: 503,
    detail: "Purser is temporarily unavailable. Nothing was changed.",
    why: "The server is starting, stopping or cannot reach its database.",
    next: "Try again shortly.",
  },
  authorization_pending: {
    ...OAUTH,
    detail: "The device has not been approved yet.",
    why: "The user has not entered the code yet, or not approved it.",
    next: "Poll again after the interval.",
  },
  slow_down: {
    ...OAUTH,
    title: "Polling too often",
    detail: "The device polls too often.",
    why: "The request came before the interval had passed.",
    next: "Add five seconds to the interval.",
  },
  access_denied: {
    ...OAUTH,
    detail: "The device was denied, or its key was revoked before the device received it.",
    why: "The user denied the device, or revoked its key.",
    next: "Start the device login again if the user wants it.",
  },
  expired_token: {
    ...OAUTH,
    title: "Code expired",
    detail: "The device code has expired.",
    why: "The user did not approve the device in time.",
    next: "Start the device login again.",
  },
  invalid_grant: {
    ...OAUTH,
    title: "Invalid code",
    detail: "The device code is unknown, or its key pair has already been returned.",
    why: "A device code returns its key pair once, so that no copy of the code can get it.",
    next: "Start the device login again.",
  },
} as const satisfies Readonly<Record<string, CatalogEntry>>;
