import { isRegistryError, resolveAgent } from "@acp-kit/registry";
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
    .summary("check that agents of this machine start, and report why not")
    .description(
      "Starts each agent of this machine, sends it initialize, and ends it and every program that it leaves running. Opens no session and\n" +
        "starts no login. Exits with 3 if an agent does not start. `acp-kit doctor <name>` examines one in full.",
    )
    .option("--json", "print a JSON list of objects")
    .action(async (names: string[], { json }: { json?: boolean }) => {
      using interrupts = listenForInterrupts(host);
      const here = names.length > 0 ? names.map((id) => ({ id })) : await agentsHere(host);
      logRegistryNotes(await openRegistries(host, { offline: true }), createLog(host, "warn"));
      const agents: CheckedAgent[] = [];
      for (const { id } of here) agents.push(await checked(id, host, interrupts.stop)); // one at a time: they need much memory
      if (agents.some(({ check }) => !check.ok)) host.exitCode = ExitCode.agentFailed;
      const shown = hideInValue(agents, host);
      host.stdout.write(json ? `${jsonText(shown)}\n` : asText(shown, host));
    });
}

async function checked(id: string, host: Host, stop: AbortSignal): Promise<CheckedAgent> {
  const installed = await openStore(host).get(id);
  try {
    const resolved = await resolveAgent(id, { env: host.env, registry: () => openRegistries(host, { offline: true }) });
    const { origin, notes } = resolved.agent;
    const isMissing = installed !== undefined && origin !== "installed" && origin !== "settings";
    const damaged = isMissing ? [`its installation is damaged: acp-kit agents install ${id} repairs it`] : [];
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
  if (agents.length === 0) return "No agent is on this machine. `acp-kit agents` lists those that can be installed.\n";
  const rows = agents.flatMap(({ id, check, notes }) => [
    [cleanLine(id), checkText(check, colours)],
    ...notes.map((note) => ["", `${colours.yellow("!")} ${cleanLine(note)}`]),
  ]);
  return `${columns(rows).join("\n")}\n`;
}
