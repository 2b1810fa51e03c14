import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argv, exit, stderr, stdout } from "node:process";
import { parseArgs } from "node:util";
import { isAuthRequired, isConnectionError, isRpcError } from "@acp-kit/client";
import { everythingAgentCommand } from "@acp-kit/everything-agent/node";
import { greeting } from "./chapters.js";
import { Checks } from "./checks.js";
import { Conversation } from "./conversation.js";
import { Screen } from "./screen.js";
import { playShowcase } from "./showcase.js";
import type { Stage } from "./stage.js";
import { bold, dim } from "./style.js";
import { Traffic } from "./traffic.js";
import { Witness } from "./witness.js";
import { wordsOf } from "./words-of.js";

const usage = `Usage: npm run demo [-- --agent "command with arguments"]\n`;

/** Runs the showcase in a temporary folder. Returns the exit code. */
async function main(agent: string | undefined): Promise<number> {
  const root = await realpath(await mkdtemp(join(tmpdir(), "acp-kit-showcase-")));
  const cwd = join(root, "project");
  await mkdir(cwd);
  await writeFile(join(cwd, "greeting.txt"), greeting);
  const { command, args } = everythingAgentCommand([
    "--store",
    join(root, "store"),
    "--pace",
    stdout.isTTY ? "60" : "10",
  ]);
  const [first = command, ...rest] = agent === undefined ? [command, ...args] : wordsOf(agent);
  const checks = new Checks();
  const stage: Stage = {
    command: [first, ...rest],
    everything: agent === undefined,
    cwd,
    checks,
    screen: new Screen(),
    witness: new Witness(),
    traffic: new Traffic(),
    live: new Conversation(),
    timings: [],
    skipped: [],
  };
  stdout.write(`\n${bold("acp-kit")} ${dim("— a client and an agent, two processes, one conversation")}\n`);
  try {
    await playShowcase(stage);
    return checks.failures.length === 0 ? 0 : 1;
  } catch (error) {
    stage.screen.painted("");
    stderr.write(`${explained(error)}\n`);
    return 1;
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** Describes an error, and how to fix it. */
function explained(error: unknown): string {
  if (isAuthRequired(error))
    return "The agent requires a login. Log in with the agent's own command, then run this again.";
  if (isRpcError(error)) return `The agent responded with an error: ${error.message} (${error.code})`;
  if (!isConnectionError(error)) return error instanceof Error ? (error.stack ?? error.message) : String(error);
  const cause = error.cause instanceof Error ? error.cause.message : "";
  return error.message.includes(cause) ? error.message : `${error.message}\n${cause}`;
}

try {
  const { values } = parseArgs({
    args: argv.slice(2),
    options: { agent: { type: "string" }, help: { type: "boolean" } },
  });
  if (values.help) stdout.write(usage);
  exit(values.help ? 0 : await main(values.agent));
} catch (error) {
  stderr.write(`${(error as Error).message}\n${usage}`);
  exit(2);
}
