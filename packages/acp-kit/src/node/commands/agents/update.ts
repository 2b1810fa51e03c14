import { type AgentUpdate, planUpdates } from "@acp-kit/registry";
import { Command } from "commander";
import { openRegistries, openStore } from "../../agents/agent-places.js";
import { progressView } from "../../agents/progress-view.js";
import { logRegistryNotes } from "../../agents/registry-notes.js";
import { usageFailure } from "../../command-failure.js";
import type { Host } from "../../host.js";
import { listenForInterrupts } from "../../interrupts.js";
import { jsonText } from "../../json-text.js";
import { createLog } from "../../log.js";
import { columns } from "../../text-columns.js";

interface UpdateCommandOptions {
  readonly dryRun?: boolean;
  readonly downgrade?: boolean;
  readonly json?: boolean;
}

/** `acp-kit agents update`. */
export function agentsUpdateCommand(host: Host): Command {
  return new Command("update")
    .argument("[name...]", "installed agents (default: all)")
    .summary("update installed agents; --dry-run shows what would change")
    .description(
      "Reads the registry again and installs the versions that it offers. Versions of your choice, and earlier versions, are left.\n" +
        "The version before is kept: `acp-kit agents rollback <name>` goes back.",
    )
    .option("--dry-run", "only show what would change")
    .option("--downgrade", "also install a version that is earlier than the installed one")
    .option("--json", "print a JSON list of objects: id, from, to, change")
    .action(async (names: string[], { dryRun, downgrade, json }: UpdateCommandOptions) => {
      using interrupts = listenForInterrupts(host);
      const registry = await openRegistries(host, { refresh: true, signal: interrupts.stop });
      logRegistryNotes(registry, createLog(host, "info"));
      const store = openStore(host);
      const all = await planUpdates(registry, store);
      const unknown = names.find((name) => !all.some(({ id }) => id === name));
      if (unknown !== undefined) throw usageFailure(`The agent "${unknown}" is not installed.`);
      const plan = all.filter(({ id }) => names.length === 0 || names.includes(id));
      const shown = plan.map(({ id, installed, offered, change }) => ({
        id,
        from: installed.version,
        to: offered ?? null,
        change,
      }));
      if (json) host.stdout.line(jsonText(shown));
      else host.stdout.write(asText(plan));
      if (dryRun) return;
      for (const { id } of plan.filter(({ change }) => change === "update" || (downgrade && change === "downgrade"))) {
        using view = progressView(host);
        await store.install(registry.getOrThrow(id), { onProgress: view.onProgress, signal: interrupts.stop });
      }
    });
}

function asText(plan: readonly AgentUpdate[]): string {
  if (plan.length === 0) return "No agent is installed.\n";
  return `${columns(plan.map(({ id, installed: { version }, offered, change }) => [id, ...changeText(version, offered ?? "", change)])).join("\n")}\n`;
}

function changeText(version: string, offered: string, change: AgentUpdate["change"]): readonly string[] {
  switch (change) {
    case "update":
      return [`${version} → ${offered}`, ""];
    case "downgrade":
      return [`${version} → ${offered}`, "earlier than the installed one; only with --downgrade"];
    case "held":
      return [version, `held by you; the registry has ${offered}`];
    case "gone":
      return [version, "the registry has it no more"];
    case "none":
      return [version, "up to date"];
  }
}
