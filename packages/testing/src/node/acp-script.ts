#!/usr/bin/env node
// Runs the script that a module exports by default: acp-script MODULE [agent command…]
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type AgentScript, type ClientScript, runScript } from "@acp-kit/testing/node";

const [module, ...command] = process.argv.slice(2);
if (module === undefined) {
  process.stderr.write("Usage: acp-script MODULE [agent command…]\nMODULE exports a script by default.\n");
  process.exit(2);
}
const url = /^file:/.test(module) ? module : pathToFileURL(resolve(module)).href;
const loaded: { readonly default?: AgentScript | ClientScript } = await import(url);
if (typeof loaded.default?.connect !== "function") {
  process.stderr.write(`${module} exports no script by default\n`);
  process.exit(2);
}
await runScript(loaded.default, command);
