import { buildDocs } from "../docs/build-docs.ts";

const started = performance.now();
await buildDocs();
console.log(`Built docs/dist in ${((performance.now() - started) / 1_000).toFixed(1)} s.`);
