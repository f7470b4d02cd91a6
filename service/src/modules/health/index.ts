export { checkReadiness } from "./check-readiness.ts";
export { presentServerTime, ServerTimeResource } from "./server-time-resource.ts";
export { watchClock } from "./watch-clock.ts";
