import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { caselessName, isReservedName, VARIABLE_NAME_PATTERN } from "../../foundation/variable-names.ts";
import { isUsablePrefix, nameServiceEnv } from "./env-names.ts";

const EVERYWHERE = ["development", "production"];

/** Returns the variable names of services that are added one after another. */
function nameAll(
  ...added: readonly {
    name: string;
    names: readonly string[];
    envPrefix?: string | null;
    environments?: readonly string[];
  }[]
) {
  const others: { environments: readonly string[]; envNames: Readonly<Record<string, string>> }[] = [];
  for (const { names, envPrefix = null, environments = EVERYWHERE, ...service } of added) {
    const envNames = nameServiceEnv({ ...service, envPrefix, environments }, { providerNames: names, others });
    others.push({ environments, envNames });
  }
  return others.map(({ envNames }) => envNames);
}

describe("nameServiceEnv", () => {
  it("leaves the provider's name unchanged if no other service has it", () => {
    expect(nameAll({ name: "db", names: ["DATABASE_URL"] }, { name: "mail", names: ["MAIL_KEY"] })).toEqual([
      { DATABASE_URL: "DATABASE_URL" },
      { MAIL_KEY: "MAIL_KEY" },
    ]);
  });

  it("adds the service's env_prefix to every name, even if words repeat", () => {
    expect(nameAll({ name: "db", names: ["DATABASE_URL", "PGHOST"], envPrefix: "APP_DATABASE_" })).toEqual([
      { DATABASE_URL: "APP_DATABASE_DATABASE_URL", PGHOST: "APP_DATABASE_PGHOST" },
    ]);
  });

  it("adds the newer service's local name if an older service has the name", () => {
    const [, second, third] = nameAll(
      { name: "main", names: ["DATABASE_URL", "PGHOST"] },
      { name: "primary-db", names: ["DATABASE_URL", "OTHER"] },
      { name: "replica", names: ["DATABASE_URL"], envPrefix: "" },
    );

    expect(second).toEqual({ DATABASE_URL: "PRIMARY_DB_DATABASE_URL", OTHER: "OTHER" });
    expect(third).toEqual({ DATABASE_URL: "REPLICA_DATABASE_URL" });
  });

  it("treats names that differ only in case as the same name", () => {
    const [, second] = nameAll(
      { name: "a", names: ["URL"], envPrefix: "Db_" },
      { name: "b", names: ["URL"], envPrefix: "DB_" },
    );

    expect(second).toEqual({ URL: "B_DB_URL" });
  });

  it("ignores services that share no environment", () => {
    const [, second, third] = nameAll(
      { name: "a", names: ["DATABASE_URL"], environments: ["development"] },
      { name: "b", names: ["DATABASE_URL"], environments: ["production"] },
      { name: "c", names: ["DATABASE_URL"] },
    );

    expect(second).toEqual({ DATABASE_URL: "DATABASE_URL" });
    expect(third).toEqual({ DATABASE_URL: "C_DATABASE_URL" });
  });

  it.each([
    ["firecrawl", "FIRECRAWL_API_KEY", "FIRECRAWL_API_KEY_2"],
    ["firecrawl-api", "API_KEY", "FIRECRAWL_API_KEY"],
    ["my-database", "DATABASE_URL", "MY_DATABASE_URL"],
    ["my-database-url", "DATABASE_URL", "MY_DATABASE_URL"],
    ["mydatabase", "DATABASE_URL", "MYDATABASE_DATABASE_URL"],
    ["db", "B_URL", "DB_B_URL"],
    ["Primary  DB (eu)!", "PGHOST", "PRIMARY_DB_EU_PGHOST"],
    ["-é-", "PGHOST", "SERVICE_PGHOST"],
    ["2nd", "PGHOST", "_2ND_PGHOST"],
    ["git", "PGHOST", "_GIT_PGHOST"],
    ["http", "PROXY", "_HTTP_PROXY"],
    ["git", "GIT", "_GIT"],
    [`${"x".repeat(39)}-db`, "PGHOST", `${"X".repeat(39)}_PGHOST`],
    ["x".repeat(300), "PGHOST", `${"X".repeat(40)}_PGHOST`],
  ])("joins the service name %s and the variable %s without repeating words", (name, providerName, expected) => {
    const [, second] = nameAll({ name: "first", names: [providerName] }, { name, names: [providerName] });

    expect(second).toEqual({ [providerName]: expected });
  });

  it("adds a number if the joined name is taken too", () => {
    const names = nameAll(
      { name: "a", names: ["URL"] },
      { name: "primary-db", names: ["URL"] },
      { name: "primary_db", names: ["URL"] },
      { name: "primary db", names: ["URL"] },
    );

    expect(names.map((envNames) => envNames["URL"])).toEqual([
      "URL",
      "PRIMARY_DB_URL",
      "PRIMARY_DB_URL_2",
      "PRIMARY_DB_URL_3",
    ]);
  });

  it("adds a number if two variables of one service would have the same joined name", () => {
    const names = ["B_C", "C"];
    const [, second] = nameAll({ name: "first", names }, { name: "a-b", names });

    expect(second).toEqual({ B_C: "A_B_C", C: "A_B_C_2" });
  });

  it("returns unique, valid and unreserved names in every environment for any service names", () => {
    const word = fc.constantFrom("A", "B", "API", "KEY", "URL", "GIT", "LD", "DB", "PYTHON");
    const service = fc.record({
      name: fc.oneof(
        fc.string(),
        word,
        fc.tuple(word, word).map((words) => words.join("-")),
      ),
      names: fc.uniqueArray(
        fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join("_")),
        { minLength: 1, maxLength: 4 },
      ),
      envPrefix: fc.oneof(fc.constant(null), fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,31}$/)),
      environments: fc.subarray(EVERYWHERE, { minLength: 1 }),
    });
    fc.assert(
      fc.property(fc.array(service, { maxLength: 8 }), (services) => {
        const all = nameAll(...services);
        for (const environment of EVERYWHERE) {
          const present = all.filter((_, at) => services[at]?.environments.includes(environment));
          const names = present.flatMap((envNames) => Object.values(envNames));
          expect(new Set(names.map(caselessName)).size).toBe(names.length);
          for (const name of names) {
            expect(name).toMatch(new RegExp(VARIABLE_NAME_PATTERN));
            expect(isReservedName(name)).toBe(false);
          }
        }
      }),
    );
  });
});

describe("isUsablePrefix", () => {
  it.each([
    ["APP_", true],
    ["", true],
    ["LD_", false],
    ["PYTHON", false],
    ["2", false],
    ["app_", true],
    ["A".repeat(120), false],
  ])("prefix %s: %s", (prefix, usable) => {
    expect(isUsablePrefix(prefix, ["DATABASE_URL", "PGHOST"])).toBe(usable);
  });
});
