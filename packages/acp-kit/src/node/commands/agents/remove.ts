import { Command } from "commander";
import { openStore } from "../../agents/agent-places.js";
import type { Host } from "../../host.js";

/** `acp-kit agents remove`. */
export function agentsRemoveCommand(host: Host): Command {
  return new Command("remove")
    .argument("<name...>", "installed agents")
    .summary("remove installed agents")
    .description(
      "Removes agents that acp-kit has installed, with all their versions. Files of the agent in your home folder stay.",
    )
    .action(async (names: string[]) => {
      const store = openStore(host);
      for (const name of names) {
        await store.remove(name);
        host.stdout.line(`${name} is removed.`);
      }
    });
}
