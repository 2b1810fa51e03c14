import { type AgentRegistry, isRegistryError, resolveAgent } from "@acp-kit/registry";
import { Command } from "commander";
import { openRegistries, openStore } from "../../agents/agent-places.js";
import { agentsHere } from "../../agents/agents-here.js";
import { type AgentCheck, checkAgent, checkText } from "../../agents/checked-agent.js";
import { logRegistryNotes } from "../../agents/registry-notes.js";
import { cleanLine } from "../../chat/text/clean.js";
import { errorText } from "../../error-text.js";
import { ExitCode } from "../../exit-code.js";
import { hideInValue } from "../../hide-secrets.js";
import type { Host } from "../../host.js";
import { listenForInterrupts } from "../../interrupts.js";
import { jsonText } from "../../json-text.js";
import { createLog } from "../../log.js";
import { columns } from "../../text-columns.js";

interface CheckedAgent {
  readonly id: string;
  readonly origin: string;
  readonly check: AgentCheck;
  readonly notes: readonly string[];
}

/** `acp-kit agents doctor`. */
export function agentsDoctorCommand(host: Host): Command {
  return new Command("doctor")
    .argument("[name...]", "agents of this machine (default: all)")
    .summary("check whether the agents of this machine start")
    .description(
      "Starts each agent, sends `initialize`, and ends the agent with every program that it leaves running. Opens no session and starts " +
        "no login. Exits with 3 if an agent does not start. For a full report of one agent, run `acp-kit doctor <name>`.",
    )
    .option("--json", "print a JSON list of objects")
    .action(async (names: string[], { json }: { json?: boolean }) => {
      using interrupts = listenForInterrupts(host);
      const here = names.length > 0 ? names.map((id) => ({ id })) : await agentsHere(host);
      const registry = await openRegistries(host, { offline: true });
      logRegistryNotes(registry, createLog(host, "warn"));
      const agents: CheckedAgent[] = [];
      // One agent at a time, because agents need much memory
      for (const { id } of here) agents.push(await checked(id, registry, host, interrupts.stop));
      if (agents.some(({ check }) => !check.ok)) host.exitCode = ExitCode.agentFailed;
      const shown = hideInValue(agents, host);
      host.stdout.write(json ? `${jsonText(shown)}\n` : asText(shown, host));
    });
}

async function checked(id: string, registry: AgentRegistry, host: Host, stop: AbortSignal): Promise<CheckedAgent> {
  const installed = await openStore(host).get(id);
  try {
    const resolved = await resolveAgent(id, { env: host.env, registry });
    const { origin, notes } = resolved.agent;
    const isMissing = installed !== undefined && origin !== "installed" && origin !== "settings";
    const damaged = isMissing ? [`the installation is damaged; repair it with: acp-kit agents install ${id}`] : [];
    return { id, origin, check: await checkAgent(resolved, host, stop), notes: [...notes, ...damaged] };
  } catch (error) {
    stop.throwIfAborted();
    if (!isRegistryError(error)) throw error;
    return {
      id,
      origin: installed === undefined ? "unknown" : "installed",
      check: { ok: false, error: errorText(error) },
      notes: [],
    };
  }
}

function asText(agents: readonly CheckedAgent[], { stdout: { colours } }: Host): string {
  if (agents.length === 0)
    return "There is no agent on this machine. `acp-kit agents` lists the agents that you can install.\n";
  const rows = agents.flatMap(({ id, check, notes }) => [
    [cleanLine(id), checkText(check, colours)],
    ...notes.map((note) => ["", `${colours.yellow("!")} ${cleanLine(note)}`]),
  ]);
  return `${columns(rows).join("\n")}\n`;
}
