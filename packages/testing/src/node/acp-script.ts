#!/usr/bin/env node
// Runs the script that a module exports by default: acp-script MODULE [agent command…]
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { type AgentScript, type ClientScript, runScript } from "@acp-kit/testing/node";

const usage = "Usage: acp-script MODULE [agent command…]\nMODULE exports a script by default.\n";
const [module, ...command] = process.argv.slice(2);
if (module === "--help" || module === "-h") {
  process.stdout.write(usage);
  process.exit(0);
}
if (module === undefined || module.startsWith("-")) {
  process.stderr.write(usage);
  process.exit(2);
}
const url = /^file:/.test(module) ? module : pathToFileURL(resolve(module)).href;
if (!existsSync(fileURLToPath(url))) {
  process.stderr.write(`acp-script: there is no file ${module}. The path is relative to the working directory.\n`);
  process.exit(2);
}
const loaded: { readonly default?: AgentScript | ClientScript } = await import(url);
if (typeof loaded.default?.connect !== "function") {
  process.stderr.write(`${module} exports no script by default\n`);
  process.exit(2);
}
await runScript(loaded.default, command);
