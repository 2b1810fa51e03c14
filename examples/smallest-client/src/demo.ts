// Runs the client with the everything agent, and checks what it prints.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { everythingAgentCommand } from "@acp-kit/everything-agent/node";

const script = fileURLToPath(new URL("./client.ts", import.meta.url));
const agent = everythingAgentCommand(["--pace", "0"]);
const args = ["--import", "tsx", script, agent.command, ...agent.args];
const { stdout, stderr } = await promisify(execFile)(process.execPath, args);

assert.match(stdout, /^A message comes in \*\*chunks\*\*\./);
assert.match(stdout, /\n\(end_turn\)\n$/);
assert.equal(stderr, "");
console.log("smallest-client: two messages, end_turn");
