import path from "node:path";
import { checkDocuments } from "./documents.ts";

const { documents, problems } = checkDocuments(path.join(import.meta.dirname, ".."));

for (const problem of problems) console.error(problem);
console.log(`docs: ${documents.length} documents read, ${problems.length} problems`);
if (problems.length > 0 || documents.length === 0) process.exitCode = 1;
