#!/usr/bin/env node
import { parseArgs } from "node:util";
import { spawnAgent } from "@acp-kit/stdio/node";
import { connect } from "./client.js";

const usage = "Usage: {{name}} --prompt <text> [--cwd <folder>] -- <agent command>";

/** Parses the command line. If it is wrong, prints the reason and the usage, and exits. */
function readCommandLine() {
  try {
    const options = { prompt: { type: "string" }, cwd: { type: "string" }, help: { type: "boolean" } } as const;
    return parseArgs({ allowPositionals: true, options });
  } catch (error) {
    console.error(`${(error as Error).message}\n${usage}`);
    process.exit(2);
  }
}

const { values, positionals } = readCommandLine();
const [command, ...args] = positionals;
if (values.help) {
  console.log(usage);
  process.exit();
}
if (values.prompt === undefined || command === undefined) {
  console.error(usage);
  process.exit(2);
}

try {
  await using agent = await connect(spawnAgent({ command, args }));
  await using session = await agent.newSession({ cwd: values.cwd ?? process.cwd() });
  const turn = session.prompt(values.prompt);
  process.on("SIGINT", () => turn.cancel());

  for await (const text of turn.textStream) process.stdout.write(text);
  const { stopReason } = await turn.result;
  process.stderr.write(`\n(${stopReason})\n`);
} catch (error) {
  console.error(`Error: ${(error as Error).message}`);
  process.exitCode = 1;
}
