import type { RegistryEntry } from "@acp-kit/registry";
import { Command } from "commander";
import { openRegistries } from "../../agents/agent-places.js";
import { logRegistryNotes } from "../../agents/registry-notes.js";
import { cleanLine } from "../../chat/text/clean.js";
import { ExitCode } from "../../exit-code.js";
import type { Host } from "../../host.js";
import { listenForInterrupts } from "../../interrupts.js";
import { jsonText } from "../../json-text.js";
import { createLog } from "../../log.js";
import { columns } from "../../text-columns.js";

/** `acp-kit agents search`. */
export function agentsSearchCommand(host: Host): Command {
  return new Command("search")
    .argument("[text...]", "part of an agent's id, name, description or author")
    .summary("search the registry")
    .description(
      "Searches the registry, and fetches it again if the cached copy is older than an hour. Exits with 1 if no agent matches.",
    )
    .option("--offline", "send no request: use the registry from the cache")
    .option("--json", "print a JSON list of the registry's entries")
    .action(async (words: string[], { offline, json }: { offline?: boolean; json?: boolean }) => {
      using interrupts = listenForInterrupts(host);
      const registry = await openRegistries(host, { offline: offline === true, signal: interrupts.stop });
      logRegistryNotes(registry, createLog(host, "info"));
      const found = registry.search(words.join(" "));
      if (found.length === 0) host.exitCode = ExitCode.error;
      if (json) host.stdout.line(jsonText(found.map(({ agent }) => agent)));
      else host.stdout.write(asText(found));
    });
}

function asText(found: readonly RegistryEntry[]): string {
  const rows = found.map(({ agent: { id, version, description } }) => [id, version, cleanLine(description)]);
  return rows.length === 0 ? "No agent matches.\n" : `${columns(rows).join("\n")}\n`;
}
