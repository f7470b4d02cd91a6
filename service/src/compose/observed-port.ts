import { observed } from "../foundation/telemetry/activities.ts";

type Described = Pick<Parameters<typeof observed>[0], "kind" | "facts">;

/** Returns a port whose calls observers see. All its methods are asynchronous. */
export function observedPort<Port extends object>(port: Port, { kind, facts }: Described): Port {
  const call = (name: string, args: readonly unknown[]) => {
    const method: unknown = Reflect.get(port, name);
    return typeof method === "function" ? Reflect.apply(method, port, args) : undefined;
  };
  const members = membersOf(port).map((name) => {
    const value: unknown = Reflect.get(port, name);
    if (typeof value !== "function") return [name, value];
    return [
      name,
      (...args: readonly unknown[]) => observed({ kind, name, facts: { ...facts } }, () => call(name, args)),
    ];
  });
  return Object.fromEntries(members) as Port;
}

/** The names of an object's own members, and of the methods of its class. */
function membersOf(port: object): string[] {
  const names = [...Object.keys(port), ...Object.getOwnPropertyNames(Object.getPrototypeOf(port))];
  return names.filter((name) => !(name in Object.prototype));
}
