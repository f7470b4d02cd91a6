import { Badge, Text } from "@mantine/core";
import { useState } from "react";
import type { EnvComparison } from "../api/api-types.ts";
import { api } from "../api/client.ts";
import { ActionDialog } from "../ui/forms/action-dialog.tsx";
import { type Column, textColumn } from "../ui/lists/columns.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { rowsOf } from "../ui/lists/use-list.ts";
import { Section } from "../ui/section.tsx";
import type { TabProps } from "./parts.tsx";

/** Compares a pasted `.env` file with an environment, name by name. What was pasted is gone when the dialog closes. */
export function CompareEnvironment({ project: { project_id, environments: data } }: TabProps) {
  const [comparison, setComparison] = useState<EnvComparison>();
  const file = { label: "Your .env file", input: "lines", placeholder: "DATABASE_URL='postgres://…'" } as const;
  const compare = (
    <ActionDialog
      {...{ title: "Compare a .env file", buttonProps: { variant: "default" }, action: "Compare" }}
      text="Purser compares the values, forgets them, and records their names. At most 200 names."
      fields={[
        { name: "file", ...file },
        { name: "environment", label: "Environment", input: "one", data, defaultValue: data[0] },
      ]}
      run={async ({ file: text, environment }, proof) => {
        const values = parseEnvironment(text);
        if (Object.keys(values).length === 0) throw new Error("The text has no lines such as NAME=value.");
        const params = { path: { project_id } };
        const body = { environment, values, ...proof };
        setComparison((await api.POST("/projects/{project_id}/env/compare", { params, body })).data);
      }}
    />
  );
  const intro = "Paste your .env file to see which values differ from an environment.";
  return (
    <Section title="Compare" intro={intro} actions={compare}>
      {comparison !== undefined && (
        <ListTable
          label={`Comparison with ${comparison.environment}`}
          list={rowsOf(comparison.names)}
          rowKey={({ name }) => name}
          columns={COLUMNS}
          empty={<Text size="sm">Neither the file nor the environment has a variable.</Text>}
        />
      )}
    </Section>
  );
}

const ASSIGNMENT =
  /^[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=[ \t]*(?:'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|([^\r\n]*))[ \t]*(?:#.*)?$/gm;

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" };

/** Reads the text of a `.env` file: plain, single-quoted and double-quoted values, comments, and `export`. */
function parseEnvironment(text: string): Readonly<Record<string, string>> {
  const values = new Map<string, string>();
  for (const [, name = "", single, double, plain = ""] of text.matchAll(ASSIGNMENT)) {
    const unescaped = double?.replace(/\\([\s\S])/g, (_escape, letter: string) => ESCAPES[letter] ?? letter);
    values.set(name, single ?? unescaped ?? plain.replace(/(^|\s)#.*$/, "").trim());
  }
  return Object.fromEntries(values);
}

type Compared = EnvComparison["names"][number];

const RESULTS: Readonly<Record<Compared["result"], readonly [color: string, text: string]>> = {
  same: ["teal", "Same value"],
  differs: ["orange", "Different value"],
  missing: ["red", "Missing in your file"],
  extra: ["gray", "Only in your file"],
};

const COLUMNS: readonly Column<Compared>[] = [
  textColumn("Name", ({ name }) => name, { show: ({ name }) => <code>{name}</code> }),
  {
    title: "Result",
    csv: ({ result }) => result,
    show: ({ result }) => (
      <Badge variant="light" color={RESULTS[result][0]} tt="none">
        {RESULTS[result][1]}
      </Badge>
    ),
  },
];
