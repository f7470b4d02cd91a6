import { describe, expect, it } from "vitest";
import catalogEntry from "../../adapters/service-provider/neon/catalog.json" with { type: "json" };
import { offerReleased } from "../catalog/catalog.ts";
import { assembleEnv, type PulledVariable, type ServiceContribution } from "./assemble-env.ts";

offerReleased([{ provider: "neon", catalogEntry }]);

const at = new Date("2026-11-21T10:00:00.000Z");
const storedAt = new Date("2026-11-20T10:00:00.000Z");

const own = (name: string): PulledVariable => ({
  name,
  value: `own ${name}`,
  sensitive: true,
  updatedAt: at,
  service: null,
});

/** Returns a Neon Postgres service. `envNames` maps the provider's variable names to their names in the project. */
function neon(
  name: string,
  envNames: Readonly<Record<string, string>>,
  more: Partial<ServiceContribution> = {},
): ServiceContribution {
  return {
    serviceId: `srv_${name}`,
    service: "neon/postgres",
    provider: "neon",
    resourceMissingSince: null,
    name,
    envPrefix: null,
    envNames,
    credentialVersion: 3,
    storedAt,
    env: Object.fromEntries(Object.keys(envNames).map((key) => [key, `${name} ${key}`])),
    ...more,
  };
}

const assemble = (
  variables: readonly PulledVariable[],
  services: readonly ServiceContribution[],
  isRequested = (_name: string) => true,
) => assembleEnv({ own: variables, services, isRequested });

describe("assembleEnv", () => {
  it("returns the variables of the project and its services, sorted by name", () => {
    const { variables, warnings } = assemble(
      [own("B_OWN"), own("A_OWN")],
      [neon("main", { PGHOST: "PGHOST", DATABASE_URL: "DATABASE_URL" })],
    );

    expect(variables.map(({ name }) => name)).toEqual(["A_OWN", "B_OWN", "DATABASE_URL", "PGHOST"]);
    expect(warnings).toEqual([]);
  });

  it("returns a service's variable with the service's value, id, version and time", () => {
    const { variables } = assemble([], [neon("main", { DATABASE_URL: "DATABASE_URL" })]);

    expect(variables).toEqual([
      {
        name: "DATABASE_URL",
        value: "main DATABASE_URL",
        sensitive: true,
        updatedAt: storedAt,
        service: { serviceId: "srv_main", credentialVersion: 3 },
      },
    ]);
  });

  it("marks service variables as sensitive unless the catalog marks them as not sensitive", () => {
    const unknown = neon("old", { PGHOST: "OLD_HOST" }, { service: "neon/unknown" });
    const { variables } = assemble([], [neon("main", { PGHOST: "PGHOST", PGPASSWORD: "P" }), unknown]);

    expect(variables.map(({ name, sensitive }) => [name, sensitive])).toEqual([
      ["OLD_HOST", true],
      ["P", true],
      ["PGHOST", false],
    ]);
  });

  it("returns the project variable and a warning if a service variable has the same name", () => {
    const { variables, warnings } = assemble([own("DATABASE_URL")], [neon("main", { DATABASE_URL: "DATABASE_URL" })]);

    expect(variables).toEqual([own("DATABASE_URL")]);
    expect(warnings).toEqual([expect.stringMatching(/DATABASE_URL.* main .*project variable/)]);
  });

  it("returns the older service's value and a warning if two services have a variable with the same name", () => {
    const { variables, warnings } = assemble(
      [],
      [neon("older", { DATABASE_URL: "DATABASE_URL" }), neon("newer", { DATABASE_URL: "DATABASE_URL" })],
    );

    expect(variables.map(({ value }) => value)).toEqual(["older DATABASE_URL"]);
    expect(warnings).toEqual([expect.stringMatching(/DATABASE_URL.* newer .*an older service/)]);
  });

  it("returns a warning with both names if a variable is renamed", () => {
    const { warnings } = assemble([], [neon("second", { DATABASE_URL: "SECOND_DATABASE_URL" })]);

    expect(warnings).toEqual([expect.stringMatching(/^DATABASE_URL.* second .*SECOND_DATABASE_URL: an older service/)]);
  });

  it("returns no warning if a variable has the service's prefix", () => {
    const { warnings } = assemble([], [neon("main", { DATABASE_URL: "APP_DATABASE_URL" }, { envPrefix: "APP_" })]);

    expect(warnings).toEqual([]);
  });

  it("omits a service's variable and its warning if the caller did not request the name", () => {
    const { variables, warnings } = assemble(
      [own("DATABASE_URL")],
      [neon("main", { DATABASE_URL: "DATABASE_URL", PGHOST: "PGHOST" })],
      (name) => name === "PGHOST",
    );

    expect(variables.map(({ name }) => name)).toEqual(["DATABASE_URL", "PGHOST"]);
    expect(warnings).toEqual([]);
  });

  it("omits a variable without a value, even if its name is a property of every object", () => {
    const { variables } = assemble(
      [],
      [neon("main", { toString: "TO_STRING", PGHOST: "PGHOST" }, { env: { PGHOST: "h" } })],
    );

    expect(variables.map(({ name, value }) => [name, value])).toEqual([["PGHOST", "h"]]);
  });

  it("sorts the warnings about hidden variables by name", () => {
    const envNames = { PGUSER: "PGUSER", DATABASE_URL: "DATABASE_URL", PGHOST: "PGHOST" };
    const { warnings } = assemble(Object.values(envNames).map(own), [neon("main", envNames)]);

    expect(warnings.map((warning) => warning.split(" ")[0])).toEqual(["DATABASE_URL", "PGHOST", "PGUSER"]);
  });
});
