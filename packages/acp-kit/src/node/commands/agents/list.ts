import {
  type AgentRegistry,
  knownPrograms,
  type RegistryAgent,
  resolveAgent,
  type SourceReport,
} from "@acp-kit/registry";
import { Command } from "commander";
import { openRegistries } from "../../agents/agent-places.js";
import { type AgentHere, agentsHere } from "../../agents/agents-here.js";
import { type AgentCheck, checkAgent, checkPrograms, checkText } from "../../agents/checked-agent.js";
import { placeOf } from "../../agents/choose-agent.js";
import { dayOf, logRegistryNotes, snapshotText } from "../../agents/registry-notes.js";
import { cleanLine } from "../../chat/text/clean.js";
import type { Colours } from "../../colours.js";
import { hideInValue } from "../../hide-secrets.js";
import type { Host } from "../../host.js";
import { listenForInterrupts } from "../../interrupts.js";
import { jsonText } from "../../json-text.js";
import { createLog } from "../../log.js";
import { columns } from "../../text-columns.js";

interface ListOptions {
  readonly installed?: boolean;
  readonly check?: boolean;
  readonly json?: boolean;
}

/** An agent in the list. `--json` prints an array of these objects. */
interface ListedAgent {
  readonly id: string;
  readonly name: string;
  /** Where the agent was found on this machine; `null` if it is not on this machine. */
  readonly origin: AgentHere["origin"] | null;
  /** The version on this machine, if known, otherwise the version in the registry. */
  readonly version: string | null;
  /** The path of the program, or of the settings file with the agent; `null` if it is not on this machine. */
  readonly path: string | null;
  readonly website: string | null;
  /** The agent's program on the `PATH`, and the arguments with which it is an agent; `null` if not known. */
  readonly command: string | null;
  readonly args: readonly string[];
  readonly check?: AgentCheck;
}

/** `acp-kit agents list`. */
export function agentsListCommand(host: Host): Command {
  return new Command("list")
    .summary("list the agents of this machine and of the registry (the default)")
    .description(
      "Lists the agents that you can start by name: agents of your settings, installed agents, agents of your editors, and known programs on " +
        "the PATH. Then lists the agents that you can install. Sends no request; starts agents only with --check.",
    )
    .option("--installed", "list only agents of this machine")
    .option("--check", "start each agent of this machine, send `initialize`, and end it")
    .option("--json", "print a JSON list of objects")
    .action(async ({ installed, check, json }: ListOptions) => {
      using interrupts = listenForInterrupts(host);
      const here = await agentsHere(host);
      const registry = await openRegistries(host, { offline: true });
      const unavailable = registry.sources.filter(({ state }) => state === "unavailable");
      logRegistryNotes({ sources: unavailable }, createLog(host, "warn"));
      const checks = check ? await checked(here, registry, host, interrupts.stop) : new Map<string, AgentCheck>();
      const local = here.map((agent) => listed(agent, checks.get(agent.id)));
      const known = new Set(local.map(({ id }) => id));
      const others = installed
        ? []
        : notHere(registry.entries.map(({ agent }) => agent)).filter(({ id }) => !known.has(id));
      const shown = hideInValue([...local, ...others], host);
      host.stdout.write(json ? `${jsonText(shown)}\n` : asText(shown, registry.sources, host.stdout.colours));
    });
}

function listed(agent: AgentHere, check: AgentCheck | undefined): ListedAgent {
  return { ...programOf(agent.id), ...agent, ...(check !== undefined && { check }) };
}

/**
 * Returns the agents of the registry, then the programs of `knownPrograms` that the registry does not contain. Their
 * `origin` and `path` are `null`: the caller removes the agents that are on this machine.
 */
function notHere(agents: readonly RegistryAgent[]): ListedAgent[] {
  const away = { origin: null, path: null };
  const offered = agents.map(({ id, name, version, website, repository }): ListedAgent => {
    const known = programOf(id);
    return { id, name, version, ...away, ...known, website: website ?? repository ?? known.website };
  });
  const ids = new Set(offered.map(({ id }) => id));
  const others = knownPrograms.filter(({ id }) => !ids.has(id));
  return [...offered, ...others.map(({ id, name }) => ({ id, name, version: null, ...away, ...programOf(id) }))];
}

function programOf(id: string): Pick<ListedAgent, "website" | "command" | "args"> {
  const { website = null, command = null, args = [] } = knownPrograms.find((each) => each.id === id) ?? {};
  return { website, command, args };
}

/** Checks one agent at a time, because agents need much memory. */
async function checked(
  agents: readonly AgentHere[],
  registry: AgentRegistry,
  host: Host,
  stop: AbortSignal,
): Promise<ReadonlyMap<string, AgentCheck>> {
  const checks = new Map(await checkPrograms(host, stop));
  for (const { id, origin } of agents.filter((agent) => agent.origin !== "path")) {
    try {
      checks.set(id, await checkAgent(await resolveAgent(id, { env: host.env, registry }), host, stop));
    } catch (error) {
      stop.throwIfAborted();
      checks.set(id, { ok: false, error: `${origin}: ${(error as Error).message}` });
    }
  }
  return checks;
}

function asText(agents: readonly ListedAgent[], sources: readonly SourceReport[], colours: Colours): string {
  const { bold, dim } = colours;
  const snapshots = sources.flatMap(({ snapshot }) => snapshot ?? []);
  const day = snapshots.length > 0 ? undefined : sources.find(({ checkedAt }) => checkedAt !== undefined)?.checkedAt;
  const here = agents.filter(({ origin }) => origin !== null);
  const away = agents.filter(({ origin }) => origin === null);
  const lines = [bold(here.length === 0 ? "There is no agent on this machine." : "On this machine")];
  const rows = here.flatMap(({ id, version, origin, path, check }) => [
    [cleanLine(id), cleanLine(version ?? ""), dim(cleanLine(`${origin === null ? "" : placeOf(origin)}: ${path}`))],
    ...(check === undefined ? [] : [["", "", checkText(check, colours)]]),
  ]);
  lines.push(...columns(rows).map((line) => `  ${line}`));
  if (away.length > 0) {
    lines.push("", bold(`To install${day === undefined ? "" : `, as the registry was on ${dayOf(day)}`}`));
    const offers = away.map(({ id, name, version, website }) => [
      id,
      version ?? "",
      dim(cleanLine(version === null ? `${name}, see ${website}` : name)),
    ]);
    lines.push(...columns(offers).map((line) => `  ${line}`));
    lines.push(...snapshots.flatMap((snapshot) => ["", dim(snapshotText(snapshot))]));
  }
  lines.push(
    "",
    dim(
      "Try an agent: acp-kit chat <name>, which installs it if necessary. For any other agent: acp-kit chat -- <command>",
    ),
  );
  return `${lines.join("\n")}\n`;
}
