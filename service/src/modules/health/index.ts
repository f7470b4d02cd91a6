export { checkReadiness } from "./check-readiness.ts";
export { watchClock } from "./watch-clock.ts";
