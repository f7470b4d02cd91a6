/** A flaw that a patch adds to the code, and the test that must detect the flaw. */
export interface Flaw {
  /** The number of the flaw, 1 to 21. A flaw with two variants is listed twice. */
  readonly number: number;
  /** What the patched code does wrong. */
  readonly flaw: string;
  /** The file name of the patch, in this folder. */
  readonly patch: string;
  /** Path of the test file, relative to the repository root. */
  readonly testFile: string;
  /** The title of the test's `describe` block. */
  readonly group: string;
  readonly test: string;
}

const SIGNED = "service/src/http/auth/signed-request.test.ts";
const GUARD = "service/src/http/replay-guard.test.ts";

const CONVERSIONS = "service/src/modules/fiat/conversions/advance-conversion.test.ts";
const LIVE_PAYMENTS = "service/src/workflows/user-operations/send-operations.test.ts";
const CAPTURED = "service/src/http/captured-payments.test.ts";
const DEFAULT_GUARD = "a captured payment under REPLAY_GUARD=money";

/**
 * Flaws 2 and 3 have a variant for each `REPLAY_GUARD`. The default, `money`, rejects repeated signatures only on
 * guarded routes.
 */
export const FLAWS: readonly Flaw[] = [
  {
    number: 1,
    flaw: "a nonce expires while its timestamp is still accepted",
    patch: "01-nonce-life.patch",
    testFile: SIGNED,
    group: "a signed request",
    test: "401: a nonce is used again while the timestamp is valid",
  },
  {
    number: 2,
    flaw: "the signature of a payment can be used again with another nonce or Idempotency-Key, which HMAC does not sign",
    patch: "02a-signature-not-claimed.patch",
    testFile: CAPTURED,
    group: DEFAULT_GUARD,
    test: "no second effect: sent again with everything changed that the signature does not cover",
  },
  {
    number: 2,
    flaw: "a signature can be used again with another nonce or Idempotency-Key under REPLAY_GUARD=strict",
    patch: "02b-no-replay-guard.patch",
    testFile: GUARD,
    group: "a captured request under REPLAY_GUARD=strict",
    test: "409 signature_replayed: sent again with another Idempotency-Key or without it",
  },
  {
    number: 3,
    flaw: "the replay guard rejects a repeated plain GET, whatever REPLAY_GUARD is",
    patch: "03a-guard-on-every-request.patch",
    testFile: CAPTURED,
    group: DEFAULT_GUARD,
    test: "200 both times: two equal GET requests in one second",
  },
  {
    number: 3,
    flaw: "the replay guard of REPLAY_GUARD=strict rejects a repeated plain GET",
    patch: "03b-guard-on-safe-methods.patch",
    testFile: GUARD,
    group: "a captured request under REPLAY_GUARD=strict",
    test: "200 both times: two equal GET requests in one second",
  },
  {
    number: 4,
    flaw: "API keys are looked up by their common prefix instead of their hash",
    patch: "04-lookup-by-prefix.patch",
    testFile: SIGNED,
    group: "a signed request",
    test: "200: two developers use the same nonce",
  },
  {
    number: 5,
    flaw: "signing keys are stored in plain text",
    patch: "05-readable-signing-keys.patch",
    testFile: "service/src/modules/developers/keys/issue-api-key.test.ts",
    group: "issueApiKey",
    test: "never stores the signing key in plain text",
  },
  {
    number: 6,
    flaw: "a nonce is unique for all developers instead of for each key",
    patch: "06-unscoped-nonces.patch",
    testFile: SIGNED,
    group: "a signed request",
    test: "200: two developers use the same nonce",
  },
  {
    number: 7,
    flaw: "requests wait indefinitely for a store that does not respond",
    patch: "07a-outage-hangs.patch",
    testFile: SIGNED,
    group: "a signed request while the fast state does not answer",
    test: "503: calls to the fast state hang",
  },
  {
    number: 7,
    flaw: "requests are accepted if the store does not respond",
    patch: "07b-outage-passes.patch",
    testFile: SIGNED,
    group: "a signed request while the fast state does not answer",
    test: "503: calls to the fast state fail",
  },
  {
    number: 8,
    flaw: "a cap is checked without a lock before it is charged",
    patch: "08-cap-checked-then-written.patch",
    testFile: "service/src/http/routes/projects/services/add-service-money.test.ts",
    group: "POST /projects/{project_id}/services with a paid plan",
    test: "403: 17 of 20 concurrent calls, because the cap allows three services",
  },
  {
    number: 9,
    flaw: "entries are added to an audit chain without locking its head",
    patch: "09-unlocked-head.patch",
    testFile: "service/src/audit/append.test.ts",
    group: "appendAuditEntry",
    test: "adds entries of concurrent writers to the provider_keys chain without a fork",
  },
  {
    number: 10,
    flaw: "a body with a wrong content type is accepted",
    patch: "10-unchecked-content-type.patch",
    testFile: "service/src/http/server.test.ts",
    group: "a body for a route without a body",
    test: "415: the type text/plain",
  },
  {
    number: 11,
    flaw: "payments do not count in the project's cap",
    patch: "11-no-cap.patch",
    testFile: "service/src/http/routes/payments/send-payment.test.ts",
    group: "POST /payments/send",
    test: "a project's cap binds the payments of its agents, and several projects must be named",
  },
  {
    number: 12,
    flaw: "a payment does not check under the lock of the account whether its wallet is frozen",
    patch: "12-no-freeze-check.patch",
    testFile: "service/src/workflows/freeze-wallet/freeze-race.test.ts",
    group: "payments against a freeze of their wallet",
    test: "nothing is settled after the 204, and everything that was held is released",
  },
  {
    number: 13,
    flaw: "the Idempotency-Key of a payment is not claimed, so a retry pays again",
    patch: "13-key-not-claimed.patch",
    testFile: CAPTURED,
    group: DEFAULT_GUARD,
    test: "one payment and the first response: 20 retries with the same Idempotency-Key, each signed anew",
  },
  {
    number: 14,
    flaw: "an on-ramp is credited on the webhook's word, without reading the transfer from Bridge",
    patch: "14-webhooks-word.patch",
    testFile: CONVERSIONS,
    group: "advanceConversion",
    test: "is not credited on a webhook's word: Bridge reports a change while its transfer waits for dollars",
  },
  {
    number: 15,
    flaw: "a freeze lets the tokens of an off-ramp be sent",
    patch: "15-post-through-freeze.patch",
    testFile: CONVERSIONS,
    group: "advanceConversion",
    test: "an off-ramp whose wallet is frozen before Bridge has answered is canceled, and its transfer deleted",
  },
  {
    number: 16,
    flaw: "the status of a transaction is taken for the success of a payment in it",
    patch: "16-transaction-status.patch",
    testFile: LIVE_PAYMENTS,
    group: "a live payment",
    test: "that is executed and fails ends as failed, although its transaction succeeds",
  },
  {
    number: 17,
    flaw: "a deposit is credited before its block is final",
    patch: "17-credit-before-final.patch",
    testFile: "service/src/workflows/networks/watch-network.test.ts",
    group: "deposits on a chain",
    test: "a deposit is pending in the activity, and credited with the seventh block; an entry and an event",
  },
  {
    number: 18,
    flaw: "the hold of a live payment is released while the payment can still be executed",
    patch: "18-void-at-first-error.patch",
    testFile: LIVE_PAYMENTS,
    group: "a live payment",
    test: "that a bundler refuses is kept until a final block is later than its last second, then dropped",
  },
  {
    number: 19,
    flaw: "a freeze lets queued payments be signed",
    patch: "19-sign-through-freeze.patch",
    testFile: LIVE_PAYMENTS,
    group: "a live payment",
    test: "enters no signing after a freeze, and what was signed but not sent is dropped",
  },
  {
    number: 20,
    flaw: "one node is believed that an account is frozen",
    patch: "20-confirmed-by-one-node.patch",
    testFile: "service/src/workflows/operator-transactions/freeze-faults.test.ts",
    group: "a freeze on a chain whose nodes fail, with three confirmations",
    test: "is not confirmed by the receipt of one node, nor ended by its head",
  },
  {
    number: 21,
    flaw: "a wallet is unfrozen while a freeze that was signed can still be executed",
    patch: "21-unfrozen-before-the-freeze.patch",
    testFile: "service/src/workflows/operator-transactions/freeze-on-chain.test.ts",
    group: "a freeze on the chain",
    test: "is lifted only after a freeze that was signed has reached the chain",
  },
];
