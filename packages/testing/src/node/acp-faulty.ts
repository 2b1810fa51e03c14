#!/usr/bin/env node
// Runs the command of an agent and injects faults into its messages: acp-faulty --seed 7 -- agent --acp
import { readFaultyArguments, runFaulty } from "@acp-kit/testing/node";

const args = readFaultyArguments(process.argv.slice(2));
if ("problem" in args) {
  process.stderr.write(args.problem);
  process.exit(2);
}
await runFaulty(args);
