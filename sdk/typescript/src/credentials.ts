import { PurserError } from "./errors.ts";
import type { Bearer, KeyPair, Settings } from "./settings.ts";

/** Which credentials a route takes; `any` is for calls whose route this SDK does not know. */
export type Access = "public" | "dashboard" | "signed" | "tenant" | "any";

const KEY_PAIR =
  "a key pair: pass `apiKey` and `apiSecret`, or set PURSER_API_KEY and PURSER_API_SECRET";

/**
 * The credential that a call goes with; a public call goes without.
 *
 * @throws PurserError that says how to set the one which is missing.
 */
export function credentialFor(
  access: Access,
  { keyPair, bearer }: Pick<Settings, "keyPair" | "bearer">,
): KeyPair | Bearer | undefined {
  switch (access) {
    case "public":
      return undefined;
    case "dashboard":
      return (
        bearer ?? missing("a dashboard session: pass `accessToken`, from `developers.logIn()`")
      );
    case "signed":
      return keyPair ?? missing(KEY_PAIR);
    case "tenant":
      return keyPair ?? bearerWithMode(bearer) ?? missing(KEY_PAIR);
    case "any":
      return keyPair ?? bearer;
  }
}

/** Live or test is for the caller to say; a guess could act on the wrong one. */
function bearerWithMode(bearer: Bearer | undefined): Bearer | undefined {
  if (bearer && bearer.mode === undefined) {
    return missing("to know the mode beside an access token: pass `mode`, live or test");
  }
  return bearer;
}

function missing(what: string): never {
  throw new PurserError(`This call needs ${what}.`);
}
