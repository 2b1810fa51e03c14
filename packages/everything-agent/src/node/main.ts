#!/usr/bin/env node
import { readFileSync } from "node:fs";
import { runEverythingAgent } from "./run-everything-agent.js";

const manifest: { version: string } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

process.exitCode = await runEverythingAgent(process.argv.slice(2), { version: manifest.version });
