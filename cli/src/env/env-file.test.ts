import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CliError } from "../cli-error.ts";
import { changeLines, FILE_BYTES_MAX, planEnvFile } from "./env-file.ts";
import { ENV_FORMATS, type EnvFormat, envFilePath, type PulledEnv } from "./env-format.ts";

const bundle = (env: Record<string, string>, environment = "development"): PulledEnv => ({
  project_id: "prj_1",
  environment,
  fingerprint: "0".repeat(64),
  env,
});
const START = "# >>> purser env pull >>>";
const END = "# <<< purser env pull <<<";
const LOOKALIKE = `${START} managed, do not edit\nOWN_A='old'\n${END}`;
const OLD = bundle({ OWN_A: "old", OWN_GONE: "x" });
const NEW = bundle({ OWN_A: "new", OWN_TEXT: `it's "two"\n${START}\n${END}\nlines\\`, OWN_Z: '{"a": 1}' });
/** Docker has no values of several lines. */
const NEW_ON_ONE_LINE = bundle({ OWN_A: "new", OWN_TEXT: `it's "one" # line\\`, OWN_Z: "" });

/** Files as people have them: their lines before Purser's section and, if the file has a section already, those after it. */
const FILES: Readonly<Record<string, readonly [before: string, after?: string]>> = {
  "an empty file": [""],
  "one line": ["A=1\n"],
  CRLF: ["A=1\r\nB=2\r\n"],
  "CR only": ["A=1\rB=2\r"],
  "mixed line ends": ["A=1\nB=2\r\nC=3\rD=4\n"],
  "no final newline": ["A=1\nB=2"],
  "CRLF without a final newline": ["A=1\r\nB=2"],
  "only a newline": ["\n"],
  "a byte order mark": ["\xef\xbb\xbfA=1\n"],
  "only a byte order mark": ["\xef\xbb\xbf"],
  "a byte order mark and quoted lines": [`\xef\xbb\xbfA='\n${LOOKALIKE.replaceAll("'", "")}\n'\n`],
  comments: ["# one\n  # two\nA=1 # three\n#\n"],
  "a comment with quotes": ["# don't \"quote\nA=1\n"],
  "a comment like a marker": ["# purser env pull\n#>>> purser env pull >>>\n  # >>> purser env pull >>>\n"],
  export: ["export A=1\nexport   B='2'\n"],
  "single quotes": ["A='one two'\n"],
  "double quotes": ['A="one two"\n'],
  "an apostrophe": ["A=it's\nB=that's\n"],
  "one apostrophe": ["A=it's\n"],
  "an escaped single quote": ["A='it\\'s'\nB=1\n"],
  "an escaped double quote": ['A="say \\"hi\\""\n'],
  "escaped backslashes at the end of a value": ['A="C:\\\\"\nB="x"\n'],
  "text after a closing quote": ["A='x'y # z\n"],
  "several lines in single quotes": ["A='one\ntwo\n'\nB=1\n"],
  "several lines in double quotes": ['A="one\ntwo\\"\n"\nB=1\n'],
  "several lines in backticks": ["A=`one\ntwo\n`\n"],
  "a marker in single quotes": [`A='one\n${START}\ntwo'\n`],
  "both markers in single quotes": [`A='one\n${START}\n${END}\ntwo'\n`],
  "a marker in double quotes": [`A="one\n${END}\n"\n`],
  "a whole section in double quotes": [`A="one\n${LOOKALIKE}\n"\n`],
  "a whole section in backticks": [`A=\`one\n${LOOKALIKE}\n\`\n`],
  "a whole section in quotes after a colon": [`A: "one\n${LOOKALIKE}\n"\n`],
  "a whole section in a here-document": [`cat <<'EOT'\n${LOOKALIKE}\nEOT\n`],
  "a section in quotes before a real one": [`A="\n${LOOKALIKE}\n"\n`, ""],
  "a section in quotes after a real one": ["", `A="\n${LOOKALIKE}\n"\n`],
  "a here-document": ["A=$(cat <<EOT\nit's $B\nEOT\n)\nB=1\n"],
  "a here-document that never ends": ["A=<<EOT\nB=1\n"],
  "a section after a comment about a here-document": ["# cat <<EOT\n", "EOT\n"],
  "a shell script": ['set -e\nif [ -z "$A" ]; then\n  export A="$(id)"\nfi\n. ./other.env\n'],
  "Windows paths": ["A=C:\\Users\\new\nB=\\\\server\\share\n"],
  "a backslash at the end": ["A=C:\\dir\\"],
  "a backslash and a newline at the end": ["A=one \\\n"],
  "dollar signs": ["A=$B\nC=$\u007bD:-x}\nE=$$\n$&$1$`\n"],
  "no value": ["A=\nB\nC=''\n"],
  "a line of 200,000 bytes": [`A=${"x".repeat(200_000)}\n`],
  "5,000 lines": ["A=1\n".repeat(5_000)],
  "invalid UTF-8": ["A=\xff\xfe\x80\xc3\n\xf0\x28\n"],
  "Latin-1 text": ["NAME=Andr\xe9\n"],
  "UTF-8 text": [Buffer.from("A=é 漢字 😀\u2028\n").toString("latin1")],
  "NUL and control bytes": ["A=\0\x01\x1b[31m\x7f\n"],
  "an ini file": ["[section]\nA=1\n; comment\n"],
  "only Purser's section": ["", ""],
  "a section at the start": ["", "A=1\n"],
  "a section at the end": ["A=1\n", ""],
  "a section in the middle": ["A=1\nB='two'\n", "C=3\n# end"],
  "a section in the middle of CRLF": ["A=1\r\n\r\n", "\r\nC=3\r\n"],
  "a section between quoted lines": ["A='\none\n'\n", 'B="\ntwo\n"\n'],
  "a section between invalid UTF-8": ["A=\xff\n", "B=\xfe"],
  "a section after a byte order mark": ["\xef\xbb\xbf\n", "A=1\n"],
  "a section before an apostrophe": ["", "A=it's\n"],
};

const bytes = (text: string) => Buffer.from(text, "latin1");

/** Returns the section of a bundle alone, which is the whole file if there was none. */
function sectionOf(pulled: PulledEnv, format: EnvFormat): string {
  return planEnvFile(undefined, pulled, format).next.toString("latin1");
}

function codeOf(action: () => unknown): string | undefined {
  try {
    action();
  } catch (error) {
    if (error instanceof CliError) return error.code;
    throw error;
  }
  return undefined;
}

describe("foreign lines of a file", () => {
  const cases = Object.entries(FILES).flatMap(([name, [before, after]]) =>
    (["dotenv", "shell", "docker"] as const)
      // For Docker, every line is a variable or a comment, so these files are damaged.
      .filter((format) => format !== "docker" || !/\n# (>>>|<<<) purser/.test(`${before}${after}`))
      .map((format) => [name, format, before, after] as const),
  );

  it.each(cases)("%s, %s: stay as they are, and a second pull changes nothing", (_name, format, before, after) => {
    const pulled = format === "docker" ? NEW_ON_ONE_LINE : NEW;
    const current = bytes(after === undefined ? before : `${before}${sectionOf(OLD, format)}${after}`);

    const { next, isCurrent } = planEnvFile(current, pulled, format);

    const [head = "", tail] = next.toString("latin1").split(sectionOf(pulled, format));
    expect(head.slice(0, before.length)).toBe(before);
    expect(head.slice(before.length)).toMatch(after === undefined ? /^\n{0,2}$/ : /^$/);
    expect(tail).toBe(after ?? "");
    expect(isCurrent).toBe(false);
    const second = planEnvFile(next, pulled, format);
    expect([second.isCurrent, second.next.equals(next), changeLines(second.changes)]).toEqual([true, true, []]);
    const back = planEnvFile(planEnvFile(next, OLD, format).next, pulled, format);
    expect(back.next.equals(next)).toBe(true);
  });

  it("stay as they are in any file that is not refused", () => {
    const OLD_SECTION = new RegExp(`^${START}[^\n]*\n(?:(?:export )?OWN_(?:A='old'|GONE='x')\n)*${END}[^\n]*\n?$`);
    const piece = fc.oneof(
      fc.constantFrom("A=", "export B=", "\r\n", "# ", "<<E", "\nE\n", "x y", `\n${START}`, ..."'\"`\\\n\xff"),
      fc.constantFrom(`\n${START}\n`, `\n${END}\n`, `\n${sectionOf(OLD, "dotenv")}`, `\n${sectionOf(OLD, "shell")}`),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), fc.constantFrom("dotenv", "shell"), (pieces, format) => {
        const text = pieces.join("");
        const plan = () => planEnvFile(bytes(text), NEW, format);
        if (codeOf(plan) !== undefined) return;
        const { next } = plan();
        const own = sectionOf(NEW, format);
        const [head = "", tail = ""] = next.toString("latin1").split(own);
        const isAppended = head.startsWith(text) && tail === "";
        const replaced = text.slice(head.length, text.length - tail.length);
        const isReplaced = text === `${head}${replaced}${tail}` && OLD_SECTION.test(replaced);
        expect([isAppended || isReplaced, planEnvFile(next, NEW, format).isCurrent]).toEqual([true, true]);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("the changes of a file", () => {
  it.each(ENV_FORMATS)("%s: names what is added, changed and removed, without values", (format) => {
    const empty = planEnvFile(Buffer.alloc(0), bundle({}), format);
    const before = planEnvFile(empty.next, bundle({ A: "secret-1", B: "secret-2", C: "same" }), format);
    const after = planEnvFile(before.next, bundle({ B: "secret-3", C: "same", D: "secret-4" }), format);

    expect([empty.isCurrent, planEnvFile(empty.next, bundle({}), format).isCurrent]).toEqual([false, true]);
    expect(before.changes).toEqual({ added: ["A", "B", "C"], changed: [], removed: [] });
    expect(after.changes).toEqual({ added: ["D"], changed: ["B"], removed: ["A"] });
    expect(changeLines(after.changes)).toEqual(["+ D=********", "~ B=********", "- A=********"]);
  });

  it("warns of names that are also in foreign lines, without their values", () => {
    const { warnings } = planEnvFile(bytes("  export OWN_A=hidden\nB='\nOWN_Z=x\n'\n"), NEW, "dotenv");

    expect(warnings).toEqual([expect.stringContaining("outside of Purser's section: OWN_A. ")]);
    expect(warnings.join()).not.toContain("hidden");
  });

  it.each(["dotenv", "k8s"] as const)("%s: warns if the file had another environment", (format) => {
    const { next } = planEnvFile(undefined, OLD, format);
    const { warnings } = planEnvFile(next, { ...OLD, environment: "production" }, format);

    expect(warnings).toEqual(["The file had the variables of the environment development of the project prj_1."]);
  });
});

describe("files that are refused", () => {
  const section = sectionOf(OLD, "dotenv");
  const marker = `${START} managed`;

  it.each([
    ["a start marker alone", `A=1\n${marker}\nB=2\n`, "start marker is in line 2 and its end marker is missing"],
    ["an end marker alone", `A=1\n${END}\n`, "start marker is missing and its end marker is in line 2"],
    ["two sections", `${section}A=1\n${section}`, "start marker is in line 1, 6 and its end marker is in line 4, 9"],
    ["a section in a section", `${marker}\n${section}${END}\n`, "in line 1, 2 and its end marker is in line 5, 6"],
    ["markers in the wrong order", `${END}\n${marker}\n`, "start marker is in line 2 and its end marker is in line 1"],
    ["a line of the user in the section", section.replace(END, `MINE=1\n${END}`), "Line 4 is in the section"],
    ["a comment in the section", section.replace(END, `# mine\n${END}`), "Line 4 is in the section"],
    ["a section of another format", sectionOf(OLD, "shell"), "Line 2 is in the section"],
    ["a quote that ends in the new section", "A=1\nB='open\n", "begins in line 2 does not end before"],
    ["a quote before the section that ends in it", `A='open\n${section}`, "begins in line 1 does not end before"],
    ["UTF-16", "\xff\xfeA\0=\0", "UTF-16"],
  ])("%s", (_name, text, message) => {
    expect(() => planEnvFile(bytes(text), NEW, "dotenv")).toThrow(message);
  });

  it.each([
    ["a document of nested values", '{\n  "name": "app",\n  "scripts": {}\n}\n', "json"],
    ["an object on one line", '{"A": "1"}', "json"],
    ["no JSON", "A=1\n", "json"],
    ["an array", "[]", "json"],
    ["a manifest of another author", "apiVersion: v1\nkind: Secret\n", "k8s"],
    ["a manifest with an added line", sectionOf(OLD, "k8s").replace("type:", "  namespace: x\ntype:"), "k8s"],
    ["a manifest and another document", `${sectionOf(OLD, "k8s")}---\n`, "k8s"],
  ] as const)("%s, because nothing else fits into the file", (_name, text, format) => {
    expect(codeOf(() => planEnvFile(bytes(text), NEW, format))).toBe("foreign_file");
  });

  it("a file that would be larger than 1 MiB", () => {
    const current = bytes(`#${"x".repeat(FILE_BYTES_MAX - 10)}\n`);

    expect(codeOf(() => planEnvFile(current, NEW, "dotenv"))).toBe("file_too_large");
  });

  it("docker: names the values with line breaks", () => {
    const env = { A: "1", LF: "secret\n", CR: "secret\r" };

    expect(() => planEnvFile(undefined, bundle(env), "docker")).toThrow(/have line breaks: CR, LF\.$/);
  });

  it("a format without a default file", () => {
    expect(envFilePath("dotenv", undefined)).toBe(".env");
    expect(envFilePath("k8s", "secret.yaml")).toBe("secret.yaml");
    expect(codeOf(() => envFilePath("json", undefined))).toBe("output_missing");
  });
});
