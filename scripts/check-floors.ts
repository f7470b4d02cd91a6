import path from "node:path";
import { cruiseWorkspaces, floorProblems } from "./floors.ts";
import { layoutProblems } from "./layout.ts";

const root = path.join(import.meta.dirname, "..");
const cruise = await cruiseWorkspaces(root);
const problems = [...floorProblems(cruise), ...layoutProblems(root)];

for (const problem of problems) console.error(problem);
console.log(`floors: ${cruise.modules} modules and ${cruise.imports} imports read, ${problems.length} problems`);
if (problems.length > 0) process.exitCode = 1;
