/** Kinds of deployment: `production`, `test` for the test suite, and `local` for `npm start`. */
export const PROFILES = ["production", "test", "local"] as const;
export type Profile = (typeof PROFILES)[number];
