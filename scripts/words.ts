/** What to write in place of identifiers that were removed. */
const IDENTIFIERS: Readonly<Record<string, string>> = {
  abandonService: "failService",
  answerByReference: "replyByReference",
  answerOnce: "replyOnce",
  askVendor: "callVendor",
  chooseOffer: "resolvePlan",
  countStandingKeys: "countActiveKeys",
  flawOf: "serviceEnvProblem",
  forgetAddition: "deleteProvisioningHistory",
  inSteadyTime: "withMinimumDuration",
  keepCustomer: "saveCustomer",
  keepTokens: "saveTokens",
  kybStanding: "kybStatusAt",
  leaveStrandedOperations: "escalateStuckOperations",
  lineUp: "scenario",
  makeOnce: "createResourceOnce",
  mendClient: "prepareClient",
  MendedClient: "PreparedClient",
  mendPool: "wrapPool",
  noReceipt: "discardResponse",
  noteLook: "recordAdminAccess",
  OfferWish: "PlanSelection",
  ownAddresses: "allowedVendorUrls",
  patiently: "retryWhileUnavailable",
  refuseShut: "assertAccountActive",
  serviceAs: "systemActor",
  silenceOf: "failureWithoutResponse",
  standingOf: "statusOf",
  startForgottenOperations: "startPendingOperations",
  startLiar: "startTamperingProxy",
  StepVerdict: "StepOutcome",
  Surroundings: "AppOverrides",
  tellGraceEndings: "notifyGraceEndings",
  tellSpike: "notifyAuthFailureSpike",
  visitorOf: "clientInfoOf",
};

/** Phrases, as regular expressions without regard to case. */
const PHRASES: Readonly<Record<string, string>> = {
  "a fault of ours": "internal error",
  "all the same": "anyway, or leave it out",
  "as a rule, while they work": "typical duration in seconds",
  "by and by": "later, or a time",
  "line-ups?": "scenario",
  // Not the Unix user of that name.
  "(?<![\"'`:]|user |as )nobody(?![\"'`:])": "no one, or name who or what",
  "planted (faults?|flaws?)": "mutation tests",
  // A receipt of a payment or a transaction is one.
  "(?<!payment |transaction |signed |payment's )receipts?\\b(?! of a (payment|transaction))":
    "stored response",
  "somebody( else)?": "name who or what",
  "steady time": "minimum duration",
  whoever: "name who or what",
};

const PATTERN = new RegExp(
  [
    ...Object.keys(IDENTIFIERS).map((word) => `\\b${word}\\b`),
    ...Object.keys(PHRASES).map((phrase) => `(?<!\\w)(?:${overLines(phrase)})(?!\\w)`),
  ].join("|"),
  "gi",
);

/** The removed identifiers and phrases in a text, with their lines. Phrases are found across the lines of a comment too. */
export function wordProblems(
  text: string,
): { readonly line: number; readonly found: string; readonly instead: string }[] {
  return [...text.matchAll(PATTERN)].flatMap((match) => {
    const [found] = match;
    const instead = insteadOf(found);
    if (instead === undefined) return [];
    return [{ line: text.slice(0, match.index).split("\n").length, found, instead }];
  });
}

function insteadOf(found: string): string | undefined {
  if (Object.hasOwn(IDENTIFIERS, found)) return IDENTIFIERS[found];
  const phrase = Object.entries(PHRASES).find(([pattern]) =>
    new RegExp(`^(?:${overLines(pattern)})$`, "i").test(found),
  );
  return phrase?.[1];
}

/** A phrase whose words may be on two lines of a comment. */
function overLines(phrase: string): string {
  return phrase.replaceAll(" ", "(?:\\s|\\*|//|--|#)+");
}
