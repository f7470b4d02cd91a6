import { Badge, Select, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import type { EnvComparison } from "../api/api-types.ts";
import { api } from "../api/client.ts";
import { ActionDialog, type LoginProof } from "../ui/forms/action-dialog.tsx";
import { type Column, textColumn } from "../ui/lists/columns.tsx";
import { ListTable } from "../ui/lists/list-table.tsx";
import { allRows } from "../ui/lists/use-list.ts";
import { parseEnvironment } from "./parse-env.ts";
import type { TabProps } from "./parts.tsx";
import { Section } from "./parts.tsx";

const NAMES_MAX = 200;

/** Compares a pasted `.env` file with an environment, name by name. What was pasted is forgotten when the result is there. */
export function CompareEnvironment({ project }: TabProps) {
  const { project_id, environments } = project;
  const [environment, setEnvironment] = useState(environments[0] ?? "");
  const [text, setText] = useState("");
  const [comparison, setComparison] = useState<EnvComparison>();
  const values = parseEnvironment(text);
  const count = Object.keys(values).length;
  const compare = async (proof: LoginProof) => {
    if (count === 0) throw new Error("The text has no lines such as NAME=value.");
    const { data } = await api.POST("/projects/{project_id}/env/compare", {
      params: { path: { project_id } },
      body: { environment, values, ...proof },
    });
    setComparison(data);
    setText("");
  };
  return (
    <Section
      title="Compare"
      intro="Paste your .env file to see which values differ from an environment."
      actions={
        <ActionDialog title="Compare a .env file" buttonProps={{ variant: "default" }} action="Compare" run={compare}>
          <Stack>
            <Select
              label="Environment"
              data={environments}
              allowDeselect={false}
              value={environment}
              onChange={(value) => setEnvironment(value ?? environment)}
            />
            <Textarea
              label="Your .env file"
              description={`Purser compares the values, forgets them, and records their names. At most ${NAMES_MAX} names.`}
              placeholder="DATABASE_URL='postgres://…'"
              autosize
              minRows={5}
              maxRows={14}
              spellCheck={false}
              value={text}
              onChange={({ currentTarget }) => setText(currentTarget.value)}
            />
            <Text size="sm" c="dimmed" role="status">
              {count} {count === 1 ? "name" : "names"} found
            </Text>
          </Stack>
        </ActionDialog>
      }
    >
      {comparison !== undefined && (
        <ListTable
          label={`Comparison with ${comparison.environment}`}
          list={allRows({ data: { data: comparison.names }, error: undefined })}
          rowKey={({ name }) => name}
          columns={COLUMNS}
          empty={<Text size="sm">Neither the file nor the environment has a variable.</Text>}
        />
      )}
    </Section>
  );
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
