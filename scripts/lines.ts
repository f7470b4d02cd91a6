import path from "node:path";
import { isTest, linesOf, writtenFiles } from "./layout.ts";

/**
 * `npm run lines`: prints the files and lines of each folder, without and with tests. Counts TypeScript and SQL, without
 * generated files. A folder's figures include its subfolders. `npm run lines -- 5` prints folders five levels deep.
 */
const depthMax = Number(process.argv[2] ?? 3);
const root = path.join(import.meta.dirname, "..");
const folders = new Map<string, { files: number; lines: number; "with tests": number; "lines with tests": number }>();

for (const file of writtenFiles(root, "*.ts", "*.tsx", "*.sql")) {
  const lines = linesOf(root, file);
  const parts = path.dirname(file).split("/");
  for (let depth = 1; depth <= Math.min(parts.length, depthMax); depth += 1) {
    const folder = parts.slice(0, depth).join("/");
    const counted = folders.get(folder) ?? { files: 0, lines: 0, "with tests": 0, "lines with tests": 0 };
    counted["with tests"] += 1;
    counted["lines with tests"] += lines;
    if (!isTest(file)) {
      counted.files += 1;
      counted.lines += lines;
    }
    folders.set(folder, counted);
  }
}

console.table(Object.fromEntries([...folders].sort(([a], [b]) => a.localeCompare(b))));
