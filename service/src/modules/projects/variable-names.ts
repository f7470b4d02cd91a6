/** The form of a variable's name (contract, section 10). */
export const VARIABLE_NAME_PATTERN = "^[A-Z_][A-Z0-9_]{0,127}$";

/**
 * Names that do not configure a program but decide what runs in its place, through whom it speaks or whom it trusts
 * (design decision S28), and those that a shell keeps for itself.
 */
const RESERVED: ReadonlySet<string> = new Set([
  // Shells and the loader.
  "_",
  "BASHOPTS",
  "BASH_ENV",
  "BASH_VERSINFO",
  "CDPATH",
  "ENV",
  "EUID",
  "GCONV_PATH",
  "GLOBIGNORE",
  "IFS",
  "PATH",
  "PPID",
  "PROMPT_COMMAND",
  "PS4",
  "SHELLOPTS",
  "UID",
  // Language runtimes.
  "CLASSPATH",
  "DOTNET_STARTUP_HOOKS",
  "JAVA_TOOL_OPTIONS",
  "JDK_JAVA_OPTIONS",
  "LUA_INIT",
  "NODE_EXTRA_CA_CERTS",
  "NODE_OPTIONS",
  "NODE_PATH",
  "NODE_TLS_REJECT_UNAUTHORIZED",
  "PERL5DB",
  "PERL5LIB",
  "PERL5OPT",
  "PERLLIB",
  "PHPRC",
  "PHP_INI_SCAN_DIR",
  "RUBYLIB",
  "RUBYOPT",
  "_JAVA_OPTIONS",
  // Proxies, resolvers and certificates.
  "ALL_PROXY",
  "CURL_CA_BUNDLE",
  "FTP_PROXY",
  "HOSTALIASES",
  "HTTPS_PROXY",
  "HTTP_PROXY",
  "NO_PROXY",
  "OPENSSL_CONF",
  "OPENSSL_MODULES",
  "REQUESTS_CA_BUNDLE",
  "SSL_CERT_DIR",
  "SSL_CERT_FILE",
]);

const RESERVED_PREFIXES = ["LD_", "DYLD_", "PYTHON", "GIT_", "BASH_FUNC_"] as const;

/** Whether a name of the right form may still not be set, whoever asks. */
export function isReservedName(name: string): boolean {
  return RESERVED.has(name) || RESERVED_PREFIXES.some((prefix) => name.startsWith(prefix));
}
