import { type AgentUpdate, planUpdates } from "@acp-kit/registry";
import { Command } from "commander";
import { openRegistries, openStore } from "../../agents/agent-places.js";
import { heldText } from "../../agents/held-text.js";
import { progressView } from "../../agents/progress-view.js";
import { logRegistryNotes } from "../../agents/registry-notes.js";
import { cleanLine } from "../../chat/text/clean.js";
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
    .summary("update installed agents; --dry-run only shows the changes")
    .description(
      "Fetches the registry and installs the versions that it offers. Skips agents whose version you chose, and versions earlier than the " +
        "installed one. The previous version stays: `acp-kit agents rollback <name>` goes back.",
    )
    .option("--dry-run", "only show the changes")
    .option("--downgrade", "also install versions that are earlier than the installed ones")
    .option("--json", "print a JSON list of objects: id, from, to, change, heldBy")
    .action(async (names: string[], { dryRun, downgrade, json }: UpdateCommandOptions) => {
      using interrupts = listenForInterrupts(host);
      const registry = await openRegistries(host, { refresh: true, signal: interrupts.stop });
      const log = createLog(host, "info");
      logRegistryNotes(registry, log);
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
        ...(change === "held" && { heldBy: installed.heldBy }),
      }));
      if (json) host.stdout.line(jsonText(shown));
      else host.stdout.write(asText(plan));
      if (dryRun) return;
      for (const { id, installed } of plan.filter(
        ({ change }) => change === "update" || (downgrade && change === "downgrade"),
      )) {
        using view = progressView(host);
        const entry = registry.getOrThrow(id);
        // The user may have chosen the kind of distribution, so it stays. If the registry no longer has this kind, the
        // default kind is installed.
        const kind = entry.agent.distribution[installed.kind] === undefined ? {} : { kind: installed.kind };
        const { notes } = await store.install(entry, {
          ...kind,
          ...(installed.scripts && { scripts: true }),
          onProgress: view.onProgress,
          signal: interrupts.stop,
        });
        view[Symbol.dispose]();
        for (const note of notes) log.warn(note);
      }
    });
}

function asText(plan: readonly AgentUpdate[]): string {
  if (plan.length === 0) return "No agent is installed.\n";
  return `${columns(plan.map((update) => [update.id, ...changeText(update)])).join("\n")}\n`;
}

function changeText({ installed, offered = "", change }: AgentUpdate): readonly string[] {
  const version = cleanLine(installed.version);
  switch (change) {
    case "update":
      return [`${version} → ${offered}`, version === offered ? "from another package or download" : ""];
    case "downgrade":
      return [`${version} → ${offered}`, "earlier than the installed version; installed only with --downgrade"];
    case "held":
      return [version, `${heldText(installed)}; the registry has ${offered}`];
    case "gone":
      return [version, "no longer in the registry"];
    case "none":
      return [version, "up to date"];
  }
}
