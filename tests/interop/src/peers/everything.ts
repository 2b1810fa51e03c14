// The everything agent, started as its command line does.
import process, { argv } from "node:process";
import { runEverythingAgent } from "@acp-kit/everything-agent/node";

process.exitCode = await runEverythingAgent(argv.slice(2), { version: "0.0.0" });
