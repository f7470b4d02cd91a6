import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { tempFolder } from "../test/fixtures.ts";
import { runProgram } from "./run-program.ts";

async function arrange(script: string) {
  const cwd = await tempFolder();
  const program = join(cwd, "initdb");
  await writeFile(program, script);
  await chmod(program, 0o755);
  return { cwd, program };
}

test("unsupported_platform: the program exists but its loader is missing, as on Alpine", async () => {
  const { cwd, program } = await arrange("#!/no/such/loader\n");

  await expect(runProgram(program, [], { cwd, serverUser: undefined })).rejects.toMatchObject({
    code: "unsupported_platform",
  });
});

test("binaries_missing: the program does not exist", async () => {
  const cwd = await tempFolder();
  const program = join(cwd, "initdb");

  await expect(runProgram(program, [], { cwd, serverUser: undefined })).rejects.toMatchObject({
    code: "binaries_missing",
  });
});

test("initdb_failed: the message contains the output", async () => {
  const { cwd, program } = await arrange("#!/bin/sh\necho 'no space left' >&2\nexit 3\n");

  await expect(runProgram(program, [], { cwd, serverUser: undefined })).rejects.toMatchObject({
    code: "initdb_failed",
    message: expect.stringContaining("status 3.\nno space left"),
  });
});
