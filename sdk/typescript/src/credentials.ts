import { PurserError } from "./errors.ts";
import type { Bearer, KeyPair, Settings } from "./settings.ts";

/**
 * The credentials that a route accepts: none (`public`), an access token (`dashboard`), a key pair (`signed`), or an
 * access token or a key pair (`tenant`). `any` means that the SDK does not know what the route accepts.
 */
export type Access = "public" | "dashboard" | "signed" | "tenant" | "any";

const KEY_PAIR = "a key pair: pass `apiKey` and `apiSecret`, or set PURSER_API_KEY and PURSER_API_SECRET";

/**
 * Returns the credential for a call, or undefined if the call needs none.
 *
 * @throws PurserError if a required credential is missing. The message says how to provide it.
 */
export function credentialFor(
  access: Access,
  { keyPair, bearer }: Pick<Settings, "keyPair" | "bearer">,
): KeyPair | Bearer | undefined {
  switch (access) {
    case "public":
      return undefined;
    case "dashboard":
      return bearer ?? throwMissing("a dashboard session: pass `session`, from `developers.logIn()`");
    case "signed":
      return keyPair ?? throwMissing(KEY_PAIR);
    case "tenant":
      return keyPair ?? bearerWithMode(bearer) ?? throwMissing(KEY_PAIR);
    case "any":
      return keyPair ?? bearer;
  }
}

/** The mode has no default, because a wrong guess could change live objects instead of test objects. */
function bearerWithMode(bearer: Bearer | undefined): Bearer | undefined {
  if (bearer && bearer.mode === undefined) {
    return throwMissing("a mode with the session: pass `mode` as `live` or `test`");
  }
  return bearer;
}

function throwMissing(what: string): never {
  throw new PurserError(`This call needs ${what}.`);
}
