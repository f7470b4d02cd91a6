/** Identifiers that must no longer be used, each with its replacement. */
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

/** Phrases that must not be used, each with its replacement. The keys are case-insensitive regular expressions. */
const PHRASES: Readonly<Record<string, string>> = {
  "a fault of ours": "internal error",
  "all the same": "anyway, or leave it out",
  "as a rule, while they work": "typical duration in seconds",
  "by and by": "later, or a time",
  "line-ups?": "scenario",
  // Allows the name of the Unix user `nobody`.
  "(?<![\"'`:]|user |as )nobody(?![\"'`:])": "no one, or name who or what",
  "planted (faults?|flaws?)": "mutation tests",
  "somebody( else)?": "name who or what",
  "steady time": "minimum duration",
  whoever: "name who or what",
};

const RULES: readonly (readonly [pattern: RegExp, instead: string])[] = [
  ...Object.entries(IDENTIFIERS).map(([name, instead]) => [new RegExp(`\\b${name}\\b`, "g"), instead] as const),
  // A phrase can be split across two lines of a comment.
  ...Object.entries(PHRASES).map(([phrase, instead]) => {
    const words = phrase.replaceAll(" ", "(?:\\s|\\*|//|--|#)+");
    return [new RegExp(`(?<!\\w)(?:${words})(?!\\w)`, "gi"), instead] as const;
  }),
];

/** Returns the forbidden identifiers and phrases in a text, each with its line and replacement. */
export function wordProblems(
  text: string,
): { readonly line: number; readonly found: string; readonly instead: string }[] {
  return RULES.flatMap(([pattern, instead]) =>
    [...text.matchAll(pattern)].map(({ 0: found, index }) => ({
      line: text.slice(0, index).split("\n").length,
      found,
      instead,
    })),
  );
}
