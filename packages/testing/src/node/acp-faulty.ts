#!/usr/bin/env node
// Runs the command of an agent and injects faults into its messages: acp-faulty --seed 7 -- agent --acp
import { readFaultyArguments, runFaulty } from "@acp-kit/testing/node";

const words = process.argv.slice(2);
const isHelp = words[0] === "--help" || words[0] === "-h";
const args = readFaultyArguments(isHelp ? [] : words);
if ("problem" in args) {
  if (isHelp) {
    process.stdout.write(args.problem); // the usage alone
    process.exit(0);
  }
  process.stderr.write(args.problem);
  process.exit(2);
}
await runFaulty(args);
