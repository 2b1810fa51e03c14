import { readFileSync, writeFileSync } from "node:fs";
import { expect, it } from "vitest";
import { allCommands } from "./commands/index.js";
import { usageOf } from "./node/arguments.js";

const path = new URL("../README.md", import.meta.url);
const readme = readFileSync(path, "utf8").replaceAll("\r\n", "\n");
const TABLE = /(?<=<!-- commands -->\n)[\s\S]*(?=<!-- \/commands -->)/;

/** Creates the table of the README from the descriptions of the commands. */
function tableOf(): string {
  const rows = [
    ["command", "what the command shows"],
    ...allCommands.map(({ name, hint, description, needs }) => {
      const what = hint === undefined ? `/${name}` : `/${name} ${hint}`.replaceAll("|", "\\|");
      const needed = needs === undefined ? "" : ` (needs \`${needs.replace("clientCapabilities.", "")}\`)`;
      return [`\`${what}\``, description + needed];
    }),
  ];
  const widths = [0, 1].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const [head, ...body] = rows.map(
    (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`,
  );
  const line = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return `\n${[head, line, ...body].join("\n")}\n\n`;
}

it("documents every command in the README", () => {
  if (process.env.UPDATE_README) writeFileSync(path, readme.replace(TABLE, tableOf()));
  expect(TABLE.exec(readme)?.[0], "run this test with UPDATE_README=1").toBe(tableOf());
});

it("documents every option in the README", () => {
  for (const [, option] of usageOf("acp-everything-agent").matchAll(/^ {2}(--[\w-]+)/gm))
    expect(readme).toContain(`\`${option}`);
});
