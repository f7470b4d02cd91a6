import { createRequire } from "node:module";
import path from "node:path";

const ARCHITECTURES: Readonly<Record<string, string>> = { x64: "amd64", arm64: "arm64" };

/**
 * Returns the path of a Foundry program. npm installs it in a package for each system. The package's own launcher needs
 * a postinstall script, which npm does not run.
 */
export function foundryBinary(
  program: "anvil" | "forge",
  { platform, arch }: { readonly platform: string; readonly arch: string } = process,
): string {
  const name = `@foundry-rs/${program}-${platform}-${ARCHITECTURES[arch] ?? arch}`;
  try {
    const manifest = createRequire(import.meta.url).resolve(`${name}/package.json`);
    return path.join(path.dirname(manifest), "bin", platform === "win32" ? `${program}.exe` : program);
  } catch (cause) {
    throw new Error(
      `The package ${name} is not installed. Run \`npm ci\` without --omit. ` +
        "Foundry exists for Linux and macOS on x64 and arm64, and for Windows on x64.",
      { cause },
    );
  }
}
