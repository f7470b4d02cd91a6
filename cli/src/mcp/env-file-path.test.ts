import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { envFilePath } from "./env-file-path.ts";

describe("the file that env_write_file writes", () => {
  let top: string;
  let folder: string;

  beforeEach(async () => {
    top = await realpath(await mkdtemp(path.join(tmpdir(), "purser-mcp-")));
    folder = path.join(top, "work");
    await mkdir(path.join(folder, "app"), { recursive: true });
    await mkdir(path.join(top, "outside"));
    await mkdir(path.join(top, "work-2"));
    await symlink(path.join(top, "outside"), path.join(folder, "away"));
    await symlink(path.join(top, "outside/.env"), path.join(folder, ".env.linked"));
    await symlink(folder, path.join(top, "alias"));
    await mkdir(path.join(folder, "folder.env"));
  });

  afterEach(() => rm(top, { recursive: true }));

  it.each([".env", "app/.env.local", "app/../prod.env"])("can be %s", async (given) => {
    expect(await envFilePath(folder, given)).toBe(path.resolve(folder, given));
  });

  it("can be one that exists, and is found through a link to the folder", async () => {
    await writeFile(path.join(folder, ".env"), "");
    expect(await envFilePath(path.join(top, "alias"), ".env")).toBe(path.join(folder, ".env"));
  });

  it.each([
    ["../.env", "must be inside the folder"],
    ["../work-2/.env", "must be inside the folder"],
    ["away/.env", "must be inside the folder"],
    ["/etc/.env", "must be inside the folder"],
    [".env.linked", "must be a file"],
    ["folder.env", "must be a file"],
    ["missing/.env", "must be in a folder that exists"],
    ["package.json", "must end in a name such as .env"],
    [".env/../.bashrc", "must end in a name such as .env"],
    ["a\0.env", "must end in a name such as .env"],
    [7, "must be a string"],
  ])("cannot be %j", async (given, detail) => {
    const failure = await envFilePath(folder, given).catch((error: unknown) => error);
    expect(failure).toMatchObject({ errors: [{ field: "path", detail: expect.stringContaining(detail) }] });
  });
});
