import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { FILE_BYTES_MAX, planEnvFile } from "./env-file.ts";
import { readEnvFile, writeFileAtomically } from "./write-env-file.ts";

const BUNDLE = { project_id: "prj_1", environment: "development", fingerprint: "0".repeat(64), env: { A: "1" } };
const IS_ROOT = process.getuid?.() === 0;
const MODULE = new URL("./write-env-file.ts", import.meta.url).href;

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "purser-cli-write-"));
  file = join(folder, ".env");
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** Pulls as the command does, and returns the warnings. */
async function pull(path: string): Promise<readonly string[]> {
  const current = await readEnvFile(path);
  const { next, isCurrent } = planEnvFile(current.bytes, BUNDLE, "dotenv");
  return isCurrent ? [] : writeFileAtomically(current, next);
}

const refused = (path: string, code: string) => expect(pull(path)).rejects.toMatchObject({ code });
const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);

describe("writing a pulled file", () => {
  it("creates a file that only its owner can read", async () => {
    const before = process.listenerCount("SIGINT");

    expect(await pull(file)).toEqual([]);

    expect(readFileSync(file, "utf8")).toContain("\nA='1'\n");
    expect([modeOf(file), readdirSync(folder), process.listenerCount("SIGINT")]).toEqual(["600", [".env"], before]);
  });

  it("does not write a file that is current", async () => {
    await pull(file);
    chmodSync(folder, 0o555);
    const { ino, mtimeMs } = statSync(file);

    await pull(file);

    expect(statSync(file)).toMatchObject({ ino, mtimeMs });
    chmodSync(folder, 0o755);
  });

  it("makes a file private that others could read, with a warning", async () => {
    writeFileSync(file, "B=2\n", { mode: 0o644 });

    expect(await pull(file)).toEqual([`Other users could access ${file}. Now only its owner can (mode 0600).`]);
    expect([modeOf(file), readFileSync(file, "utf8").startsWith("B=2\n")]).toEqual(["600", true]);
  });

  it.skipIf(!IS_ROOT)("leaves the file to its owner", async () => {
    writeFileSync(file, "B=2\n");
    chownSync(file, 65_534, 65_534);

    await pull(file);

    expect(statSync(file)).toMatchObject({ uid: 65_534, gid: 65_534 });
  });

  it("writes the file that a link in its folder points to, also if the folder is a link", async () => {
    mkdirSync(join(folder, "config"));
    writeFileSync(join(folder, "config/dev.env"), "B=2\n");
    symlinkSync("config/dev.env", file);
    symlinkSync(folder, join(folder, "config/up"));

    await pull(join(folder, "config/up/.env"));

    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, "config/dev.env"), "utf8")).toMatch(/^B=2\n[\s\S]*A='1'\n/);
    expect(readdirSync(join(folder, "config"))).toEqual(["dev.env", "up"]);
  });
});

describe("a file that cannot be written stays as it is", () => {
  it("a link to a file outside of its folder", async () => {
    mkdirSync(join(folder, "app"));
    writeFileSync(join(folder, "shared.env"), "B=2\n");
    symlinkSync("../shared.env", join(folder, "app/.env"));

    await refused(join(folder, "app/.env"), "link_outside");
    expect(readFileSync(join(folder, "shared.env"), "utf8")).toBe("B=2\n");
  });

  it("a link to a file that does not exist, and one to itself", async () => {
    symlinkSync("missing.env", file);
    symlinkSync("loop.env", join(folder, "loop.env"));

    await refused(file, "folder_missing");
    await refused(join(folder, "loop.env"), "file_error");
    expect(readdirSync(folder)).toEqual([".env", "loop.env"]);
  });

  it("a folder, a pipe, a missing folder, a file instead of a folder, and a large file", async () => {
    writeFileSync(file, Buffer.alloc(FILE_BYTES_MAX + 1, "#"));
    execFileSync("mkfifo", [join(folder, "pipe")]);

    await refused(file, "file_too_large");
    await refused(folder, "not_a_file");
    await refused(join(folder, "pipe"), "not_a_file");
    await refused(join(folder, "missing/.env"), "folder_missing");
    await refused(join(file, ".env"), "folder_missing");
    expect(readdirSync(folder)).toEqual([".env", "pipe"]);
  });

  it.each([
    ["changed", "B=2\n", () => writeFileSync(file, "B=3\n"), "B=3\n"],
    ["created", undefined, () => writeFileSync(file, "B=3\n"), "B=3\n"],
    ["deleted", "B=2\n", () => rmSync(file), undefined],
  ])("a file that is %s meanwhile", async (_name, before, change, after) => {
    if (before !== undefined) writeFileSync(file, before);
    const current = await readEnvFile(file);
    change();

    const written = writeFileAtomically(current, Buffer.from("A='1'\n"));
    await expect(written).rejects.toMatchObject({ code: "file_changed" });
    expect(existsSync(file) ? readFileSync(file, "utf8") : undefined).toBe(after);
    expect(readdirSync(folder)).toEqual(after === undefined ? [] : [".env"]);
  });
});

const POLL = { timeout: 20_000 };
let writer: ChildProcess | undefined;
afterEach(() => writer?.kill("SIGKILL"));

/** Starts a process that reads the file, runs `between`, writes 100,000 bytes, and prints the code of the error. */
function startWriter(between = "", prefix = ""): ChildProcess {
  const program = `
    import fs from "node:fs";
    import { execFileSync } from "node:child_process";
    import { readEnvFile, writeFileAtomically } from ${JSON.stringify(MODULE)};
    const file = process.argv[1];
    const current = await readEnvFile(file);
    ${between}
    await writeFileAtomically(current, Buffer.alloc(100_000, "x")).then(
      () => console.log("written"),
      (error) => console.log(error.code, error.cause?.code),
    );`;
  const shell = `${prefix} exec "$0" --input-type=module -e "$1" "$2"`;
  writer = spawn("/bin/sh", ["-c", shell, process.execPath, program, file], { stdio: ["ignore", "pipe", "inherit"] });
  return writer;
}

async function outputOf(child: ChildProcess): Promise<string> {
  let output = "";
  child.stdout?.on("data", (chunk) => {
    output += chunk;
  });
  await once(child, "close");
  return output.trim();
}

describe("a file whose writing fails stays as it is, without another file", () => {
  beforeEach(() => writeFileSync(file, "B=2\n"));

  it("no space is left", async () => {
    // The unit of ulimit is 512 or 1,024 bytes. A write beyond the limit fails with EFBIG.
    expect(await outputOf(startWriter("", "ulimit -f 20;"))).toBe("disk_full EFBIG");
    expect([readdirSync(folder), readFileSync(file, "utf8")]).toEqual([[".env"], "B=2\n"]);
  });

  it("the folder is read-only", async () => {
    chmodSync(file, 0o644);
    chmodSync(folder, 0o555);
    // Root can write to every folder.
    expect(await outputOf(startWriter(IS_ROOT ? "process.seteuid(65534);" : ""))).toBe("file_not_permitted EACCES");
    chmodSync(folder, 0o755);
    expect([readdirSync(folder), readFileSync(file, "utf8")]).toEqual([[".env"], "B=2\n"]);
  });

  it.each([
    ["SIGINT", "", [null, "SIGINT"]],
    ["SIGTERM", "", [null, "SIGTERM"]],
    ["SIGHUP", "", [null, "SIGHUP"]],
    ["SIGINT", "process.on('SIGINT', () => process.exit(130));", [130, null]],
  ] as const)("%s ends the process between writing and renaming %s", async (signal, listener, end) => {
    // The comparison with the former content waits for a writer of the pipe.
    const child = startWriter(`fs.rmSync(file); execFileSync("mkfifo", [file]); ${listener}`);
    const ended = once(child, "exit");
    await expect.poll(() => readdirSync(folder), POLL).toEqual([expect.stringMatching(/\.tmp$/), ".env"]);
    child.kill(signal);
    await expect.poll(() => readdirSync(folder), POLL).toEqual([".env"]);
    // Before Node exits, it waits for the file to be opened.
    closeSync(openSync(file, "r+"));

    expect(await ended).toEqual(end);
  });
});
