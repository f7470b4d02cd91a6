/** A flaw of the specification: what would bring it into this code, and the test that would notice. */
export interface Flaw {
  /** Its number in the list of ten. One that has two faces is there twice. */
  readonly number: number;
  readonly flaw: string;
  /** A file beside this one. */
  readonly patch: string;
  /** From the project's root. */
  readonly testFile: string;
  /** The name of the group that the test is in. */
  readonly group: string;
  readonly test: string;
}

const SIGNED = "service/src/http/auth/signed-request.test.ts";
const GUARD = "service/src/http/replay-guard.test.ts";

/** All ten: flaws 2 and 3 under `REPLAY_GUARD=strict`, since no route moves money yet. */
export const FLAWS: readonly Flaw[] = [
  {
    number: 1,
    flaw: "a nonce is forgotten while its timestamp is still good",
    patch: "01-nonce-life.patch",
    testFile: SIGNED,
    group: "a signed request",
    test: "401: whatever its stamp, a request is taken once for as long as it could be taken",
  },
  {
    number: 2,
    flaw: "nothing holds a signature to one use, though nonce and key are not signed",
    patch: "02-no-replay-guard.patch",
    testFile: GUARD,
    group: "a captured request under REPLAY_GUARD=strict",
    test: "401: the key changed or taken away",
  },
  {
    number: 3,
    flaw: "the guard refuses honest requests that are alike",
    patch: "03-honest-twins.patch",
    testFile: GUARD,
    group: "a captured request under REPLAY_GUARD=strict",
    test: "200, twice in a second: a plain GET has its nonce alone",
  },
  {
    number: 4,
    flaw: "keys are looked up by what all of them begin with",
    patch: "04-prefix-look-up.patch",
    testFile: SIGNED,
    group: "a signed request",
    test: "200: two developers may use the same nonce",
  },
  {
    number: 5,
    flaw: "signing keys can be read in the database",
    patch: "05-readable-signing-keys.patch",
    testFile: "service/src/modules/developers/keys/issue-api-key.test.ts",
    group: "issueApiKey",
    test: "stores the signing key only encrypted",
  },
  {
    number: 6,
    flaw: "one developer's nonces get in another's way",
    patch: "06-unscoped-nonces.patch",
    testFile: SIGNED,
    group: "a signed request",
    test: "200: two developers may use the same nonce",
  },
  {
    number: 7,
    flaw: "a store that does not answer keeps everybody waiting",
    patch: "07a-outage-hangs.patch",
    testFile: SIGNED,
    group: "a store that cannot answer",
    test: "503: a fast state that would hang is never passed over",
  },
  {
    number: 7,
    flaw: "a store that does not answer lets everybody pass",
    patch: "07b-outage-passes.patch",
    testFile: SIGNED,
    group: "a store that cannot answer",
    test: "503: a fast state that would reject is never passed over",
  },
  {
    number: 8,
    flaw: "a cap is checked, and then written",
    patch: "08-cap-checked-then-written.patch",
    testFile: "service/src/http/routes/projects/services/add-service-money.test.ts",
    group: "POST /projects/{project_id}/services, of a plan that costs",
    test: "403: of twenty at once as many as the cap has room for, and not a cent over",
  },
  {
    number: 9,
    flaw: "audit entries are linked without the head's lock",
    patch: "09-unlocked-head.patch",
    testFile: "service/src/audit/append.test.ts",
    group: "appendAuditEntry",
    test: "links an entry of the provider keys' chain at once, writer after writer",
  },
  {
    number: 10,
    flaw: "a content type slips past the validation",
    patch: "10-unchecked-content-type.patch",
    testFile: "service/src/http/server.test.ts",
    group: "a body where none is wanted",
    test: "another type: {}",
  },
];
