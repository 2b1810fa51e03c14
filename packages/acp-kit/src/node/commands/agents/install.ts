import { type DistributionKind, settingsFile } from "@acp-kit/registry";
import { Command, Option } from "commander";
import { openRegistries, openStore } from "../../agents/agent-places.js";
import { progressView } from "../../agents/progress-view.js";
import { logRegistryNotes } from "../../agents/registry-notes.js";
import { cleanLine } from "../../chat/text/clean.js";
import { usageFailure } from "../../command-failure.js";
import type { Host } from "../../host.js";
import { listenForInterrupts } from "../../interrupts.js";
import { createLog } from "../../log.js";

interface InstallCommandOptions {
  readonly kind?: DistributionKind;
  readonly preview?: boolean;
  readonly offline?: boolean;
  readonly scripts?: boolean;
}

/** `acp-kit agents install`. */
export function agentsInstallCommand(host: Host): Command {
  return new Command("install")
    .argument("<name[@version]...>", "agents of the registry; name@version installs that version")
    .summary("install agents of the registry and pin their versions")
    .description(
      "Installs each agent into a folder of its own, verifies its checksum, and pins its version in a lock file. An installed agent changes to " +
        "the version of the registry. `update` keeps a version that you name here. The command changes nothing else on your machine.",
    )
    .addOption(
      new Option(
        "--kind <kind>",
        "the kind of distribution (default: the first that this machine can install)",
      ).choices(["npx", "uvx", "binary"]),
    )
    .option("--preview", "install the pre-release version")
    .option("--scripts", "let npm run the install scripts of the package and its dependencies, with your rights")
    .option("--offline", "use the registry from the cache; the agents themselves are still downloaded")
    .action(async (names: string[], options: InstallCommandOptions) => {
      using interrupts = listenForInterrupts(host);
      const log = createLog(host, "info");
      const registry = await openRegistries(host, { offline: options.offline === true, signal: interrupts.stop });
      logRegistryNotes(registry, log);
      const wanted = names.map((text) => {
        const { name = "", version } = /^(?<name>[^@]+)(?:@(?<version>.+))?$/.exec(text)?.groups ?? {};
        if (name === "") throw usageFailure(`"${text}" is not the name of an agent.`);
        return { entry: registry.getOrThrow(name, settingsFile(host.env)), ...(version !== undefined && { version }) };
      });
      for (const { entry, version } of wanted) {
        const { kind, preview, scripts } = options;
        using view = progressView(host);
        const installed = await openStore(host).install(entry, {
          onProgress: view.onProgress,
          signal: interrupts.stop,
          ...(version !== undefined && { version }),
          ...(kind !== undefined && { kind }),
          ...(preview !== undefined && { preview }),
          ...(scripts !== undefined && { scripts }),
        });
        view[Symbol.dispose]();
        for (const note of installed.notes) log.warn(note);
        const { id } = installed;
        host.stdout.line(`${id} ${cleanLine(installed.version)} is installed. Start it: acp-kit chat ${id}`);
      }
    });
}
