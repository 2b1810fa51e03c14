import { type InstalledAgent, type RegistryEntry, settingsFile } from "@acp-kit/registry";
import { quirksOf } from "@acp-kit/registry/quirks";
import { Command } from "commander";
import { openRegistries, openStore } from "../../agents/agent-places.js";
import { heldText } from "../../agents/held-text.js";
import { logRegistryNotes } from "../../agents/registry-notes.js";
import { cleanLine } from "../../chat/text/clean.js";
import type { Host } from "../../host.js";
import { listenForInterrupts } from "../../interrupts.js";
import { jsonText } from "../../json-text.js";
import { createLog } from "../../log.js";
import { columns } from "../../text-columns.js";

/** `acp-kit agents info`. */
export function agentsInfoCommand(host: Host): Command {
  return new Command("info")
    .argument("<name>", "the id of an agent")
    .summary("show an agent of the registry, and its measured behaviour")
    .description("Shows an agent of the registry: its distributions, the installed version, and its measured quirks.")
    .option("--offline", "send no request: use the registry from the cache")
    .option("--json", "print one JSON object: agent, source, installed, quirks")
    .action(async (name: string, { offline, json }: { offline?: boolean; json?: boolean }) => {
      using interrupts = listenForInterrupts(host);
      const registry = await openRegistries(host, { offline: offline === true, signal: interrupts.stop });
      logRegistryNotes(registry, createLog(host, "info"));
      const entry = registry.getOrThrow(name, settingsFile(host.env));
      const installed = await openStore(host).get(name);
      const quirks = quirksOf(name, installed?.version ?? entry.agent.version) ?? null;
      if (json) host.stdout.line(jsonText({ ...entry, installed: installed ?? null, quirks }));
      else host.stdout.write(asText(entry, installed));
    });
}

function asText({ agent, source }: RegistryEntry, installed: InstalledAgent | undefined): string {
  const { id, name, description, version, distribution, authors, license, website, repository, preview } = agent;
  const quirks = quirksOf(id, installed?.version ?? version);
  const rows = [
    ["agent", `${name} (${id}) ${version}`],
    ["about", description],
    ["by", authors?.join(", ")],
    ["license", license],
    ["website", website ?? repository],
    ["npm", distribution.npx?.package],
    ["PyPI", distribution.uvx?.package],
    ["programs for", distribution.binary && Object.keys(distribution.binary).join(", ")],
    ["pre-release", preview?.version],
    ["registry", source],
    [
      "installed",
      installed === undefined
        ? "no"
        : `${installed.version}${installed.heldBy === undefined ? "" : ` (${heldText(installed)})`}, ${installed.directory}`,
    ],
    ["previous", installed?.previous?.version],
    [
      "measured",
      quirks &&
        `${quirks.measured.version} on ${quirks.measured.on}: conformance ${quirks.conformance?.verdict ?? "not run"}, on cancel ${quirks.onCancel}, on end of input ${quirks.onEndOfInput}`,
    ],
  ];
  const known = rows.filter((row): row is [string, string] => row[1] !== undefined && row[1] !== "");
  return `${columns(known.map(([label, text]) => [label, cleanLine(text)])).join("\n")}\n`;
}
