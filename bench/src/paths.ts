export const TIME_PATH = "/api/v1/svc/time";
export const PROJECTS_PATH = "/api/v1/svc/projects";
export const PROFILE_PATH = "/api/v1/svc/developers/me";
export const RATE_PATH = "/api/v1/svc/fiat/rate";
export const CONVERSIONS_PATH = "/api/v1/svc/fiat/conversions";
export const LOGIN_PATH = "/api/v1/svc/developers/login";
export const OVERVIEW_PATH = "/api/v1/svc/developers/dashboard/overview";
export const VERIFY_PATH = "/api/v1/svc/audit/verify";

/** Routes that exist only in the benchmarks. */
export const OPEN_PATH = "/api/v1/svc/bench/open";
export const SIGNED_PATH = "/api/v1/svc/bench/signed";
