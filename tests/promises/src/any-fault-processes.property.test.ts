import { execFileSync } from "node:child_process";
import { spawnAgent } from "@acp-kit/stdio/node";
import { forEachSeed, randomPlan } from "@acp-kit/testing";
import { faultyArguments } from "@acp-kit/testing/node";
import { expect, it, vi } from "vitest";
import { Conversation } from "./harness/conversation.js";
import { program } from "./harness/program.js";

const patience = { idleTimeoutMs: 300, cancelTimeoutMs: 200, deadlineMs: 2_000 };

it("settle.any-fault: over pipes of real processes, every promise settles, and no process remains", async () => {
  const rejections: unknown[] = [];
  const note = (reason: unknown): void => void rejections.push(reason);
  process.on("unhandledRejection", note);
  const agentProgram = await program(new URL("./harness/agent-process.ts", import.meta.url));
  const faultyProgram = await program(new URL("../../../packages/testing/src/node/acp-faulty.ts", import.meta.url));
  await forEachSeed({ runs: 6 }, async (seed) => {
    const wrapped = { command: process.execPath, args: [agentProgram], plan: randomPlan(seed), seed };
    const agent = spawnAgent({
      command: process.execPath,
      args: [faultyProgram, ...faultyArguments(wrapped)],
      exitGraceMs: 500,
    });
    const conversation = new Conversation(patience);
    await conversation.play(agent);
    await agent.close();
    await agent.exited;
    const after = { hanging: conversation.hanging, untyped: conversation.untyped, rejections };
    expect(after, agent.stderrTail).toEqual({ hanging: [], untyped: [], rejections: [] });
    // The system may need longer to end a killed process than to report the end of its parent.
    await vi.waitFor(() => expect(livingIn(agent.pid), agent.stderrTail).toEqual([]), 20_000);
  });
  process.off("unhandledRejection", note);
});

/** Returns the running processes of a process group. */
function livingIn(group: number | undefined): string[] {
  const table = execFileSync("ps", ["-A", "-o", "pgid=,stat=,args="], { encoding: "utf8" }).split("\n");
  return table.filter((line) => Number(line.trim().split(/\s+/)[0]) === group && !/^\s*\d+\s+Z/.test(line));
}
