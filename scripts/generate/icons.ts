import { globSync, readFileSync } from "node:fs";
import path from "node:path";

const HEADER = `// Generated from @tabler/icons-react (MIT license, copyright Paweł Kuna) by \`npm run generate\`. Do not edit.
import { icon } from "./icon.ts";
`;
const IMPORT = /import \{([^}]+)\} from "[./]*(?:ui\/)?icons\/icons\.ts"/g;

/**
 * Returns the icons that the dashboard imports. The whole set has 88 MB, so only development installs it.
 *
 * @throws Error if the set has no such icon.
 */
export async function dashboardIcons(root: string): Promise<string> {
  const files = globSync("dashboard/src/**/*.tsx", { cwd: root });
  const imported = files.flatMap((file) => [...readFileSync(path.join(root, file), "utf8").matchAll(IMPORT)]);
  const names = new Set(
    imported.flatMap(([, list = ""]) =>
      list
        .split(",")
        .map((name) => name.trim())
        .filter(Boolean),
    ),
  );
  const lines = [...names].sort().map(async (name) => {
    const { __iconNode: parts } = await import(`@tabler/icons-react/dist/esm/icons/${name}.mjs`);
    return `export const ${name} = icon(${JSON.stringify(parts)});\n`;
  });
  return [HEADER, ...(await Promise.all(lines))].join("\n");
}
