import { composeApp } from "@purser/service/compose.ts";
import type { Config } from "@purser/service/config.ts";
import { serveParent } from "../server-process.ts";
import { type Developer, seedDeveloper } from "./seed-developer.ts";

export interface SeedInput {
  readonly config: Config;
  readonly developers: number;
  /** All developers have this password. */
  readonly password: string;
}

export interface SeedReady {
  readonly developers: readonly Developer[];
}

const CONCURRENCY = 10;

/** Creates developers, each with an API key, and returns them. Does not listen on a port. */
serveParent(async ({ config, developers: count, password }: SeedInput): Promise<SeedReady> => {
  const app = await composeApp(config);
  const passwordHash = await app.passwords.hash(password);
  const developers: Developer[] = [];
  while (developers.length < count) {
    const next = Array.from({ length: Math.min(CONCURRENCY, count - developers.length) }, () =>
      seedDeveloper(app, { passwordHash }),
    );
    developers.push(...(await Promise.all(next)));
  }
  return { developers };
});
