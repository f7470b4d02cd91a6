import { execFile } from "node:child_process";
import { chmod, mkdir, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { copyPackage, createTinyPackage, needsRoot, ownFolder, tempFolder } from "../test/fixtures.ts";
import { findBinaries, locatePackage } from "./binaries.ts";
import { ensureOwnFolder } from "./own-folder.ts";
import { findServerUser } from "./server-user.ts";

const run = promisify(execFile);

async function arrange(packageDir: string) {
  const serverUser = await findServerUser();
  const staging = join(await tempFolder(), "binaries");
  const progress: string[] = [];
  const find = () =>
    findBinaries({
      packageDir,
      serverUser,
      stagingFolder: async () => {
        await ensureOwnFolder(staging, { mode: 0o755, code: "shared_folder_unusable" });
        return staging;
      },
      onProgress: (message) => progress.push(message),
    });
  const runs = async (program: string) => (await run(program, ["--version"], { ...serverUser, cwd: "/" })).stdout;
  return { packageDir, staging, serverUser, progress, find, runs };
}

describe("the package can be used in place", () => {
  test("found: creates the links that --ignore-scripts omits, and the programs run", async () => {
    const { packageDir, find, runs, progress } = await arrange(await copyPackage(await tempFolder()));

    const { initdb, postgres } = await find();
    const second = await find();

    expect(postgres).toBe(join(packageDir, "native/bin/postgres"));
    expect(second).toEqual({ initdb, postgres });
    expect(await runs(initdb)).toContain("18.4");
    expect(await runs(postgres)).toContain("18.4");
    expect(progress).toEqual([]);
  });
});

describe("the server's user cannot reach the package", needsRoot, () => {
  test("copied: once, complete, readable by all users and writable only by the owner", async () => {
    const { staging, find, runs, progress } = await arrange(await createTinyPackage(0o700));

    const { initdb, postgres } = await find();
    await find();

    expect(await runs(initdb)).toContain("18.4");
    expect(await runs(postgres)).toContain("18.4");
    expect(progress).toHaveLength(1);
    expect((await stat(postgres)).mode & 0o777).toBe(0o755);
    expect((await stat(staging)).mode & 0o777).toBe(0o755);
    expect(await readdir(staging)).toEqual(["tiny-x64-18.4.0"]);
    const libraries = await readdir(join(staging, "tiny-x64-18.4.0/lib"));
    expect(libraries.sort()).toEqual(["libpq.so.5", "libpq.so.5.18"]);
  });

  test("copied: the files are readable only by root, because of a strict umask", async () => {
    const { packageDir, staging, find, runs } = await arrange(await createTinyPackage());
    await run("chmod", ["-R", "go-rwx", packageDir]);

    const { initdb } = await find();

    expect(initdb).toContain(staging);
    expect(await runs(initdb)).toContain("18.4");
  });

  test("copied once: several starts run at the same time", async () => {
    const { staging, find, runs } = await arrange(await createTinyPackage(0o700));

    const found = await Promise.all([find(), find(), find()]);

    expect(new Set(found.map(({ initdb }) => initdb)).size).toBe(1);
    expect(await runs(found[0].initdb)).toContain("18.4");
    expect(await readdir(staging)).toHaveLength(1);
  });

  test("shared_folder_unusable: the copy belongs to another user", async () => {
    const { staging, serverUser, find } = await arrange(await createTinyPackage(0o700));
    await find();
    const [copy = ""] = await readdir(staging);
    await run("chown", [String(serverUser?.uid), join(staging, copy)]);

    await expect(find()).rejects.toMatchObject({ code: "shared_folder_unusable" });
  });

  test.each([
    ["belongs to another user", (path: string) => ownFolder(path, { uid: 12_345, gid: 12_345 })],
    ["is writable by all users", createWritableByAll],
    ["is a symbolic link", async (path: string) => run("ln", ["-s", "/usr", path])],
  ])("shared_folder_unusable: the folder for the copy %s", async (_what, createFolder) => {
    const { staging, find } = await arrange(await createTinyPackage(0o700));
    await createFolder(staging);

    await expect(find()).rejects.toMatchObject({ code: "shared_folder_unusable" });
  });
});

async function createWritableByAll(path: string): Promise<void> {
  await mkdir(path);
  await chmod(path, 0o777);
}

test("unsupported_platform: no binaries exist for the system", () => {
  expect(() => locatePackage("win32-x64")).toThrow(expect.objectContaining({ code: "unsupported_platform" }));
});

test("binaries_missing: the package is not installed", () => {
  const other = process.platform === "darwin" ? "linux-arm64" : "darwin-arm64";

  expect(() => locatePackage(other)).toThrow(
    expect.objectContaining({
      code: "binaries_missing",
      message: expect.stringContaining("npm ci"),
    }),
  );
});

test("binaries_missing: the package is empty", needsRoot, async () => {
  const serverUser = await findServerUser();
  const request = { packageDir: await tempFolder(), serverUser, onProgress: () => {} };

  await expect(findBinaries({ ...request, stagingFolder: () => tempFolder() })).rejects.toMatchObject({
    code: "binaries_missing",
  });
});
