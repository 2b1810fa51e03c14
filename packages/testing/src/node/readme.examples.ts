import { clientScript, type FaultPlan } from "@acp-kit/testing";
import { faultyCommand, spawnPeer } from "@acp-kit/testing/node";

// #region spawn
/** Returns how your agent, as a process, responds to a prompt despite faults, and the injected faults. */
export async function prompt(command: string, args: readonly string[], plan: FaultPlan): Promise<string> {
  const agent = spawnPeer(faultyCommand({ command, args, plan, seed: 7 }));
  const client = clientScript().connect(agent);
  await client.initialize();
  await client.newSession();
  const { result, error } = await client.prompt("hello");
  await client.close();
  await agent.exited;
  return `${result?.stopReason ?? error?.message}\n${agent.stderr}`; // where each fault is reported
}
// #endregion spawn
