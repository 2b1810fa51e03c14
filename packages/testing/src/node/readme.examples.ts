import { clientScript, type FaultPlan } from "@acp-kit/testing";
import { faultyCommand, spawnPeer } from "@acp-kit/testing/node";

// #region spawn
/** How your agent, as a process, answers a prompt when things go wrong on the way, and what went wrong. */
export async function prompt(command: string, args: readonly string[], plan: FaultPlan): Promise<string> {
  const agent = spawnPeer(faultyCommand({ command, args, plan, seed: 7 }));
  const client = clientScript().connect(agent);
  await client.initialize();
  await client.newSession();
  const { result, error } = await client.prompt("hello");
  await client.close();
  await agent.exited;
  return `${result?.stopReason ?? error?.message}\n${agent.stderr}`; // where each fault is told
}
// #endregion spawn
