import { type AgentProbe, detectAgents, probeAgent, type ResolvedAgent } from "@acp-kit/registry";
import { cleanLine } from "../chat/text/clean.js";
import type { Colours } from "../colours.js";
import type { Host } from "../host.js";

/** The result of starting an agent and sending it `initialize`, in the format of `--json`. */
export type AgentCheck =
  | {
      readonly ok: true;
      readonly agent: { readonly name: string; readonly version: string } | null;
      readonly protocolVersion: number;
      readonly startupMs: number;
      /** The commands of the processes that the agent left running. `checkAgent` has ended these processes. */
      readonly leftBehind: readonly string[];
    }
  | { readonly ok: false; readonly error: string };

/** Starts a resolved agent, sends `initialize`, and ends the agent. Rejects only with the reason of `stop`. */
export async function checkAgent(
  { agent: _, ...command }: ResolvedAgent,
  { env }: Pick<Host, "env">,
  stop: AbortSignal,
): Promise<AgentCheck> {
  return checkOf(
    await probeAgent({ ...command, env: { ...env, ...command.env }, inheritEnv: false }, { signal: stop }),
  );
}

/** Checks the agents that `detectAgents` finds on the `PATH`. Caches the result of each program. */
export async function checkPrograms(
  { env }: Pick<Host, "env">,
  stop: AbortSignal,
): Promise<ReadonlyMap<string, AgentCheck>> {
  const found = await detectAgents({ env, probe: true, signal: stop });
  return new Map(found.flatMap(({ id, probe }) => (probe === undefined ? [] : [[id, checkOf(probe)] as const])));
}

function checkOf(probe: AgentProbe): AgentCheck {
  if (!probe.speaks) return { ok: false, error: probe.error };
  const { name, version, protocolVersion, startupMs, leftBehind } = probe;
  return {
    ok: true,
    agent: name === null ? null : { name, version: version ?? "" },
    protocolVersion,
    startupMs,
    leftBehind,
  };
}

/** Formats the result of a check as one line. */
export function checkText(check: AgentCheck, { green, red }: Colours): string {
  if (!check.ok) return `${red("✗")} ${cleanLine(check.error)}`;
  const { agent, protocolVersion, startupMs, leftBehind } = check;
  const who = agent === null ? "an agent without a name" : cleanLine(`${agent.name} ${agent.version}`);
  const left =
    leftBehind.length === 0
      ? ""
      : `; these programs still ran and were ended: ${leftBehind.map((each) => cleanLine(each)).join(", ")}`;
  return `${green("✓")} ${who}, protocol ${protocolVersion}, ${startupMs} ms${left}`;
}
