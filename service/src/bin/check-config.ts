import { ConfigError, readConfig } from "../config.ts";

/** Validates the environment variables as the server does at startup, without starting it. */
try {
  const { profile, roles } = readConfig(process.env);
  console.log(`The configuration is valid: ${profile}, ${roles.join(" and ")}.`);
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error);
  process.exitCode = 1;
}
