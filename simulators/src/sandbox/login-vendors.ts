import { githubSimulator } from "../github/github-simulator.ts";
import { googleSimulator, type MintedIdToken, mintIdToken } from "../google/google-simulator.ts";
import type { RunningVendor } from "../kit/start-vendor.ts";
import type { VendorSimulator } from "../kit/vendor-simulator.ts";

const GITHUB_APP = {
  clientId: "Ov23li5andb0x5andb0x",
  clientSecret: "sandbox-github-client-secret",
};
const GOOGLE_APP = {
  clientId: "000000000000-sandbox.apps.googleusercontent.com",
  clientSecret: "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",
};

/** Those whom people sign in by, and the app that is registered with each. */
export interface LoginVendors {
  readonly github: {
    readonly webUrl: string;
    readonly apiUrl: string;
    readonly clientId: string;
    readonly clientSecret: string;
  };
  readonly google: {
    readonly accountsUrl: string;
    /** Of the token endpoint, in full. */
    readonly tokenUrl: string;
    /** Of the key set, in full. */
    readonly certsUrl: string;
    readonly clientId: string;
    readonly clientSecret: string;
    /** An ID token for the app, without anybody's consent. */
    mint(token: MintedIdToken): Promise<string>;
  };
}

export async function startLoginVendors(
  start: (simulator: VendorSimulator) => Promise<RunningVendor>,
  redirectUris: readonly string[],
): Promise<{ readonly running: readonly RunningVendor[]; readonly loginVendors: LoginVendors }> {
  const googleApp = { ...GOOGLE_APP, redirectUris };
  const github = await start(githubSimulator({ ...GITHUB_APP, redirectUris }));
  const google = await start(googleSimulator(googleApp));
  return {
    running: [github, google],
    loginVendors: {
      github: { webUrl: github.url, apiUrl: github.url, ...GITHUB_APP },
      google: {
        accountsUrl: google.url,
        tokenUrl: `${google.url}/token`,
        certsUrl: `${google.url}/oauth2/v3/certs`,
        ...GOOGLE_APP,
        mint: (token) => mintIdToken(google.context, googleApp, token),
      },
    },
  };
}
