/** The kind of deployment: `production`, the test suite, or the local profile of `npm start`. */
export const PROFILES = ["production", "test", "local"] as const;
export type Profile = (typeof PROFILES)[number];
