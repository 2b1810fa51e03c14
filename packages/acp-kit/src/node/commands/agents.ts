import { Command } from "commander";
import { type AgentCheck, checkAgent } from "../agents/check-agent.js";
import { findProgram, programsHere } from "../agents/find-program.js";
import { type KnownAgent, knownAgents, throughRunner } from "../agents/known-agents.js";
import type { Colours } from "../colours.js";
import { hideInValue } from "../hide-secrets.js";
import type { Host } from "../host.js";
import { listenForInterrupts } from "../interrupts.js";
import { jsonText } from "../json-text.js";
import { columns } from "../text-columns.js";

interface ListedAgent extends KnownAgent {
  /** The path of its program; `null` if it is not on the `PATH`. */
  readonly path: string | null;
  readonly check?: AgentCheck;
}

/** `acp-kit agents`: lists known agents, and which of them are installed. */
export function agentsCommand(host: Host): Command {
  return new Command("agents")
    .summary("list known agents, the commands that start them, and which are installed")
    .description(
      "Lists agents that are known to support the protocol, the commands that start them, and which of them are on the PATH.\n" +
        "Starts no agent without --check.",
    )
    .option("--installed", "list only installed agents")
    .option("--check", "start each installed agent, send it initialize, and end it")
    .option("--json", "print a JSON list of objects")
    .action(async ({ installed, check, json }: { installed?: boolean; check?: boolean; json?: boolean }) => {
      const programs = programsHere(host.env);
      const found = knownAgents.map((agent): ListedAgent => {
        return { ...agent, path: findProgram(agent.command, programs) ?? null };
      });
      using interrupts = listenForInterrupts(host);
      const listed: ListedAgent[] = [];
      for (const agent of installed ? found.filter(({ path }) => path !== null) : found) {
        if (!check || agent.path === null) listed.push(agent);
        else listed.push({ ...agent, check: await checkAgent(agent, host, interrupts.stop) }); // one at a time: they need much memory
        interrupts.stop.throwIfAborted();
      }
      const shown = hideInValue(listed, host);
      host.stdout.write(json ? `${jsonText(shown)}\n` : asText(shown, host.stdout.colours));
    });
}

/** As text, installed agents first. */
function asText(agents: readonly ListedAgent[], colours: Colours): string {
  const { bold, dim } = colours;
  const here = agents.filter(({ path }) => path !== null);
  const away = agents.filter(({ path }) => path === null);
  const lines: string[] = [];
  lines.push(bold(here.length === 0 ? "None of the known agents is on the PATH." : "Installed"));
  const installed = here.flatMap(({ id, command, args, path, check }) => [
    [id, [command, ...args].join(" "), dim(path ?? "")],
    ...(check === undefined ? [] : [["", checked(check, colours), ""]]),
  ]);
  lines.push(...columns(installed).map((line) => `  ${line}`));
  if (away.length > 0) {
    lines.push("", bold("Not installed"));
    const rows = away.map((agent) => [agent.id, throughRunner(agent) ?? `see ${agent.website}`, dim(agent.name)]);
    lines.push(...columns(rows).map((line) => `  ${line}`));
  }
  lines.push("", dim("Try one: acp-kit run --prompt Hello -- <command>    Any other agent works, too."));
  return `${lines.join("\n")}\n`;
}

function checked(check: AgentCheck, { green, red }: Colours): string {
  if (!check.ok) return `${red("✗")} ${check.error}`;
  const { agent, protocolVersion, startupMs } = check;
  const who = agent === null ? "an agent without a name" : `${agent.name} ${agent.version}`;
  return `${green("✓")} ${who}, protocol ${protocolVersion}, ${startupMs} ms`;
}
