import { Command } from "commander";
import { openStore } from "../../agents/agent-places.js";
import type { Host } from "../../host.js";

/** `acp-kit agents rollback`. */
export function agentsRollbackCommand(host: Host): Command {
  return new Command("rollback")
    .argument("<name>", "an installed agent")
    .summary("go back to the version that was installed before")
    .description("Goes back to the version that was installed before, and holds it. Calling it again goes forward.")
    .action(async (name: string) => {
      const { id, version, previous } = await openStore(host).rollback(name);
      host.stdout.line(
        `${id} is ${version} again, instead of ${previous?.version}. It is held: acp-kit agents install ${id} updates it.`,
      );
    });
}
