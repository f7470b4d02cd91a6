import { createHash, randomUUID } from "node:crypto";
import type {
  ProviderAccount,
  ProviderOAuth,
  ProviderTokens,
  ServiceProvider,
} from "../../src/ports/service-provider.ts";
import { VendorError, type VendorFailure } from "../../src/ports/vendor-error.ts";

/**
 * Maps the second part of a token to the account that the token belongs to. For example, `token-ada` belongs to `ada`.
 */
const ACCOUNTS: Readonly<Record<string, ProviderAccount>> = {
  ada: { accountId: "org-ada", label: "Ada <ada@example.com>" },
  grace: { accountId: "org-grace", label: "Grace" },
  mary: { accountId: null, label: "Mary" },
  jean: { accountId: null, label: "Jean" },
  // Labels that a vendor should never return.
  nul: { accountId: "org-nul", label: "a\u0000b\u202ec\ud800" },
  long: { accountId: "org-long", label: "\u{1f600}".repeat(100_000) },
  blank: { accountId: "org-blank", label: "\u0000\u200b " },
  void: { accountId: null, label: "\u0000" },
};

interface Control {
  failure: VendorFailure | undefined;
  vendorCode?: string;
  during: () => Promise<void>;
}

type Grant = { readonly account: string; readonly challenge: string | null };

/** Creates a fake provider for linking tests. Accepts each code and refresh token only once, and verifies PKCE. */
export function linkableProvider(provider: string, clock: { now(): Date }) {
  const grants = new Map<string, Grant>();
  const calls: string[] = [];
  /** `failure` makes calls fail until it is unset. `during` runs during each call. */
  const control: Control = { failure: undefined, during: async () => {} };

  async function recordCall(operation: string): Promise<void> {
    calls.push(operation);
    await control.during();
    const { failure, vendorCode } = control;
    if (failure !== undefined) throw failed(operation, failure, vendorCode);
  }

  function failed(operation: string, failure: VendorFailure, vendorCode?: string): VendorError {
    const code = vendorCode === undefined ? {} : { vendorCode };
    return new VendorError(failure, { vendor: provider, operation, ...code });
  }

  function grant(account: string, challenge: string | null): string {
    const code = randomUUID();
    grants.set(code, { account, challenge });
    return code;
  }

  function redeem(operation: string, code: string, challenge: string | null): ProviderTokens {
    const found = grants.get(code);
    grants.delete(code);
    if (found === undefined || found.challenge !== challenge) {
      throw failed(operation, "refused", "invalid_grant");
    }
    return {
      accessToken: `token-${found.account}-${randomUUID()}`,
      refreshToken: grant(found.account, null),
      expiresAt: new Date(clock.now().getTime() + 3_600_000),
    };
  }

  const oauth: ProviderOAuth = {
    authorizationUrl: ({ state, codeChallenge, redirectUri }) =>
      `https://${provider}.test/authorize?${new URLSearchParams({ state, code_challenge: codeChallenge, redirect_uri: redirectUri })}`,
    exchangeCode: async ({ code, codeVerifier }) => {
      await recordCall("exchangeCode");
      return redeem("exchangeCode", code, s256(codeVerifier));
    },
    refresh: async (refreshToken) => {
      await recordCall("refresh");
      return redeem("refresh", refreshToken, null);
    },
  };

  const never = async () => {
    throw new Error("link tests must not call this method");
  };
  const adapter = (hasApp: boolean): ServiceProvider => ({
    provider,
    oauth: hasApp ? oauth : null,
    needsPassword: false,
    isRotationIdempotent: true,
    canAdopt: true,
    tokenPageUrl: `https://${provider}.test/tokens`,
    identify: async (accessToken) => {
      await recordCall("identify");
      const account = ACCOUNTS[accessToken.split("-")[1] ?? ""];
      if (account === undefined) throw failed("identify", "unauthorized");
      return account;
    },
    provision: never,
    find: never,
    inspect: never,
    readEnv: never,
    deprovision: never,
  });

  return {
    byToken: adapter(false),
    byConsent: adapter(true),
    calls,
    control,
    /** Returns the code that the consent page issues when the user agrees. */
    consent: (authorizationUrl: string, account = "ada") =>
      grant(account, new URL(authorizationUrl).searchParams.get("code_challenge")),
    /** Invalidates all codes and refresh tokens. */
    forget: () => grants.clear(),
  };
}

function s256(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}
