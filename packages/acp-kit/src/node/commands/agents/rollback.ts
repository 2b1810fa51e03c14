import { Command } from "commander";
import { openStore } from "../../agents/agent-places.js";
import { heldText } from "../../agents/held-text.js";
import { cleanLine } from "../../chat/text/clean.js";
import type { Host } from "../../host.js";

/** `acp-kit agents rollback`. */
export function agentsRollbackCommand(host: Host): Command {
  return new Command("rollback")
    .argument("<name>", "an installed agent")
    .summary("go back to the previously installed version")
    .description(
      "Goes back to the previously installed version. `agents update` then keeps that version. A second rollback undoes the first.",
    )
    .action(async (name: string) => {
      const agent = await openStore(host).rollback(name);
      const { id, version, previous } = agent;
      const [now, before] = [cleanLine(version), cleanLine(previous?.version ?? "")];
      host.stdout.line(
        `${id} is ${now} again, instead of ${before}. \`acp-kit agents update\` keeps this version (${heldText(agent)}).`,
      );
    });
}
