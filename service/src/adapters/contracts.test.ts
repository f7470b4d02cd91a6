import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const ADAPTERS = import.meta.dirname;
const PORTS = join(ADAPTERS, "../ports");

const ports = readdirSync(PORTS)
  .map((file) => file.replace(".ts", ""))
  .filter((port) => port !== "vendor-error");

/** Returns a folder's exported `create…` functions that no other file in the folder imports. */
function creatorsOf(port: string): string[] {
  const sources = readdirSync(join(ADAPTERS, port), { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .map((file) => readFileSync(join(ADAPTERS, port, file), "utf8"));
  const creators = sources.flatMap((source) =>
    [...source.matchAll(/^export (?:async )?function (create\w+)/gm)].map(([, name = ""]) => name),
  );
  return creators.filter(
    (name) => !sources.some((source) => new RegExp(`^import [^;]*\\b${name}\\b`, "m").test(source)),
  );
}

describe.each(ports)("contract test of %s", (port) => {
  it("exists, and calls every adapter's factory", () => {
    const contract = readFileSync(join(ADAPTERS, port, `${port}.contract.test.ts`), "utf8");
    const creators = creatorsOf(port);

    expect(creators).not.toEqual([]);
    expect(creators.filter((name) => !contract.includes(`${name}(`))).toEqual([]);
  });
});
