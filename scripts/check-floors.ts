import path from "node:path";
import { cruiseWorkspaces, floorProblems } from "./floors.ts";

const cruise = await cruiseWorkspaces(path.join(import.meta.dirname, ".."));
const problems = floorProblems(cruise);

for (const problem of problems) console.error(problem);
console.log(
  `floors: ${cruise.modules} modules and ${cruise.imports} imports read, ${problems.length} problems`,
);
if (problems.length > 0) process.exitCode = 1;
