#!/usr/bin/env node
// {{name}} --prompt <text> [--cwd <folder>] -- <agent command>
import { parseArgs } from "node:util";
import { spawnAgent } from "@acp-kit/stdio/node";
import { connect } from "./client.js";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { prompt: { type: "string" }, cwd: { type: "string" } },
});
const [command, ...args] = positionals;
if (values.prompt === undefined || command === undefined) {
  console.error("Usage: {{name}} --prompt <text> [--cwd <folder>] -- <agent command>");
  process.exit(2);
}

await using agent = await connect(spawnAgent({ command, args }));
await using session = await agent.newSession({ cwd: values.cwd ?? process.cwd() });
const turn = session.prompt(values.prompt);
process.on("SIGINT", () => turn.cancel());

for await (const text of turn.textStream) process.stdout.write(text);
const { stopReason } = await turn.result;
process.stderr.write(`\n(${stopReason})\n`);
