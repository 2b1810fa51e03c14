// The everything agent as a process.
import process, { argv } from "node:process";
import { runEverythingAgent } from "@acp-kit/everything-agent/node";

process.exitCode = await runEverythingAgent(argv.slice(2), { version: "0.0.0" });
