import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

describe("an npm script", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "purser-on-node-"));
    for (const name of ["scripts", "node_modules"]) await mkdir(join(folder, name));
    await cp(join(import.meta.dirname, "on-node-24.cjs"), join(folder, "scripts/on-node-24.cjs"));
    await writeFile(join(folder, "hello.ts"), 'export const greeting: string = "hello";\n');
    await writeFile(
      join(folder, "start.ts"),
      'import { greeting } from "./hello.ts";\nconsole.log(greeting, process.argv[2]);\n',
    );
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const start = async () => {
    const commandLine = [join(folder, "scripts/on-node-24.cjs"), "start.ts", "world"];
    const options = { env: { PATH: process.env["PATH"] } };
    return (await promisify(execFile)(process.execPath, commandLine, options)).stdout;
  };

  it("saves compiled code in node_modules/.cache for the next run", async () => {
    expect(await start()).toBe("hello world\n");

    const [versionFolder = ""] = await readdir(join(folder, "node_modules/.cache/compiled"));
    expect(versionFolder).toContain(process.version);
    expect(await start()).toBe("hello world\n");
  });

  it("runs without the cache if its folder cannot be created", async () => {
    await writeFile(join(folder, "node_modules/.cache"), "not a folder");

    expect(await start()).toBe("hello world\n");
  });
});
