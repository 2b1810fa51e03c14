import type { DistributionKind } from "@acp-kit/registry";
import { Command, Option } from "commander";
import { openRegistries, openStore } from "../../agents/agent-places.js";
import { progressView } from "../../agents/progress-view.js";
import { logRegistryNotes } from "../../agents/registry-notes.js";
import { usageFailure } from "../../command-failure.js";
import type { Host } from "../../host.js";
import { listenForInterrupts } from "../../interrupts.js";
import { createLog } from "../../log.js";

interface InstallCommandOptions {
  readonly kind?: DistributionKind;
  readonly preview?: boolean;
  readonly offline?: boolean;
}

/** `acp-kit agents install`. */
export function agentsInstallCommand(host: Host): Command {
  return new Command("install")
    .argument("<name[@version]...>", "agents, each with a version if it should be another than that of the registry")
    .summary("install agents of the registry and pin their versions")
    .description(
      "Installs agents into folders of their own, checks their checksums, and pins them in a lock file. An agent that is installed is\n" +
        "changed to the version of the registry. A version of yours is kept by `update`. Nothing else of your machine is changed.",
    )
    .addOption(new Option("--kind <kind>", "the kind of distribution").choices(["npx", "uvx", "binary"]))
    .option("--preview", "install the pre-release")
    .option("--offline", "don't read the registry again; packages may still be downloaded")
    .action(async (names: string[], options: InstallCommandOptions) => {
      using interrupts = listenForInterrupts(host);
      const log = createLog(host, "info");
      const registry = await openRegistries(host, { offline: options.offline === true, signal: interrupts.stop });
      logRegistryNotes(registry, log);
      const wanted = names.map((text) => {
        const { name = "", version } = /^(?<name>[^@]+)(?:@(?<version>.+))?$/.exec(text)?.groups ?? {};
        if (name === "") throw usageFailure(`"${text}" is not the name of an agent.`);
        return { entry: registry.getOrThrow(name), ...(version !== undefined && { version }) };
      });
      for (const { entry, version } of wanted) {
        const { kind, preview } = options;
        using view = progressView(host);
        const installed = await openStore(host).install(entry, {
          onProgress: view.onProgress,
          signal: interrupts.stop,
          ...(version !== undefined && { version }),
          ...(kind !== undefined && { kind }),
          ...(preview !== undefined && { preview }),
        });
        view[Symbol.dispose]();
        for (const note of installed.notes) log.warn(note);
        host.stdout.line(`${installed.id} ${installed.version} is installed. Start it: acp-kit chat ${installed.id}`);
      }
    });
}
