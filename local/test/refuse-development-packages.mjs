import { readFileSync } from "node:fs";
import nodeModule from "node:module";

/*
 * For `node --import`: modules of packages that `npm ci --omit=dev` does not install cannot be loaded. Node 20, on which only
 * npm itself may run, has no hooks.
 */

const project = new URL("../../", import.meta.url);
const { packages } = JSON.parse(readFileSync(new URL("package-lock.json", project), "utf8"));
const folders = Object.keys(packages)
  .filter((path) => packages[path].dev || packages[path].devOptional)
  .map((path) => new URL(`${path}/`, project).href);

nodeModule.registerHooks?.({
  resolve: (specifier, context, nextResolve) => {
    const resolved = nextResolve(specifier, context);
    if (folders.some((folder) => resolved.url.startsWith(folder))) {
      throw new Error(`${specifier} is a development package.`);
    }
    return resolved;
  },
});
