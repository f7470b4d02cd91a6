import { readFileSync } from "node:fs";

const PAGE = new URL("../../../docs/operate/scale.md", import.meta.url);

/** Returns the tables in docs/operate/scale.md, each with what it would be in Citus, in the order of the page. */
export function readTableKinds(): readonly (readonly [table: string, kind: string])[] {
  const rows = readFileSync(PAGE, "utf8").matchAll(/^\| `([\w.]+)` \| (distributed|reference|local) \|/gm);
  return [...rows].map(([, table = "", kind = ""]) => [table, kind]);
}
