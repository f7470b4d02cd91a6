import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { needsRoot, tempFolder } from "../test/fixtures.ts";
import { canReach, findServerUser } from "./server-user.ts";

describe("the server's user if this process is root", needsRoot, () => {
  test.each([
    ["Linux", "nobody:x:65534:65533:nobody:/nonexistent:/usr/sbin/nologin", 65_534, 65_533],
    ["macOS", "nobody:*:-2:-2:Unprivileged User:/var/empty:/usr/bin/false", 4_294_967_294, 4_294_967_294],
  ])("found: an entry in the format of %s", async (_system, line, uid, gid) => {
    const file = join(await tempFolder(), "passwd");
    await writeFile(file, `root:x:0:0:root:/root:/bin/sh\n${line}\n`);

    expect(await findServerUser(file)).toEqual({ uid, gid });
  });

  test("server_user_unavailable: the system has no unprivileged user", async () => {
    const file = join(await tempFolder(), "passwd");

    await expect(findServerUser(file)).rejects.toMatchObject({ code: "server_user_unavailable" });
  });
});

test.each([
  ["all folders can be entered", 0o755, 0o755, true],
  ["a parent folder cannot be entered", 0o700, 0o755, false],
  ["a parent folder can be entered but not listed", 0o711, 0o755, true],
  ["the folder itself cannot be entered", 0o755, 0o750, false],
])("canReach: %s", async (_what, above, itself, reached) => {
  const folder = await tempFolder(above);
  const path = join(folder, "inner");
  await mkdir(path);
  await chmod(path, itself);

  expect(await canReach({ uid: 54_321, gid: 54_321 }, path, 0o1)).toBe(reached);
});
