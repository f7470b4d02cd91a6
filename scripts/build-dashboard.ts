import { buildDashboard } from "../dashboard/build-dashboard.ts";

const started = performance.now();
await buildDashboard();
console.log(`Built dashboard/dist in ${((performance.now() - started) / 1_000).toFixed(1)} s.`);
