import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const ADAPTERS = import.meta.dirname;
const PORTS = join(ADAPTERS, "../ports");

const ports = readdirSync(PORTS)
  .map((file) => file.replace(".ts", ""))
  .filter((port) => port !== "vendor-error");

/** The functions that a folder's sources export to make adapters, without those that only other sources of it call. */
function creatorsOf(port: string): string[] {
  const sources = readdirSync(join(ADAPTERS, port))
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => readFileSync(join(ADAPTERS, port, file), "utf8"));
  const creators = sources.flatMap((source) =>
    [...source.matchAll(/^export (?:async )?function (create\w+)/gm)].map(([, name = ""]) => name),
  );
  return creators.filter(
    (name) => !sources.some((source) => new RegExp(`^import [^;]*\\b${name}\\b`, "m").test(source)),
  );
}

describe.each(ports)("the contract of the port %s", (port) => {
  it("stands beside its adapters, and every adapter is held to it", () => {
    const contract = readFileSync(join(ADAPTERS, port, `${port}.contract.test.ts`), "utf8");
    const creators = creatorsOf(port);

    expect(creators).not.toEqual([]);
    expect(creators.filter((name) => !contract.includes(`${name}(`))).toEqual([]);
  });
});
