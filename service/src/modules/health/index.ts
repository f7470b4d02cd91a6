export { checkReadiness, type Readiness } from "./check-readiness.ts";
export { watchClock } from "./watch-clock.ts";
