/** Where a process runs: for real, in the test suite, or as `npm start` on somebody's own machine. */
export const PROFILES = ["production", "test", "local"] as const;
export type Profile = (typeof PROFILES)[number];
