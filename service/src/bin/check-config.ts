import { ConfigError, readConfig } from "../config.ts";

/** Says whether a process would start with this environment, without starting one. */
try {
  const { profile, roles } = readConfig(process.env);
  console.log(`The configuration is good: ${profile}, ${roles.join(" and ")}.`);
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exitCode = 1;
}
