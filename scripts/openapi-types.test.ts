import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";
import { expect, it } from "vitest";

const DOCUMENT = path.join(import.meta.dirname, "../openapi/openapi.json");

/** A request with only the required field. */
const USE = `
export const project: components["schemas"]["ProjectCreateRequest"] = { name: "My App" };
`;

it("the types that openapi-typescript generates by default compile strictly, and optional fields are optional", async () => {
  const folder = await mkdtemp(path.join(tmpdir(), "purser-openapi-types-"));
  try {
    const file = path.join(folder, "api.ts");
    await writeFile(file, astToString(await openapiTS(JSON.parse(await readFile(DOCUMENT, "utf8")))) + USE);
    const program = ts.createProgram([file], { strict: true, noEmit: true, types: [], lib: ["lib.es2022.d.ts"] });

    expect(ts.getPreEmitDiagnostics(program).map(({ messageText }) => messageText)).toEqual([]);
  } finally {
    await rm(folder, { recursive: true });
  }
}, 60_000);
