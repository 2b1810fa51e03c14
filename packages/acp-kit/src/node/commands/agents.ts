import { Command } from "commander";
import type { Host } from "../host.js";
import { agentsDoctorCommand } from "./agents/doctor.js";
import { agentsInfoCommand } from "./agents/info.js";
import { agentsInstallCommand } from "./agents/install.js";
import { agentsListCommand } from "./agents/list.js";
import { agentsRemoveCommand } from "./agents/remove.js";
import { agentsRollbackCommand } from "./agents/rollback.js";
import { agentsSearchCommand } from "./agents/search.js";
import { agentsUpdateCommand } from "./agents/update.js";

/** `acp-kit agents`: finds agents in registries, and installs, lists and updates the agents of this machine. */
export function agentsCommand(host: Host): Command {
  return new Command("agents")
    .summary("list, search, install, update and remove agents")
    .usage("[list|search|info|install|update|rollback|remove|doctor] [options]")
    .description(
      "Lists, installs and checks agents. Without a subcommand, lists the agents of this machine and of the registry.",
    )
    .addCommand(agentsListCommand(host))
    .addCommand(agentsSearchCommand(host))
    .addCommand(agentsInfoCommand(host))
    .addCommand(agentsInstallCommand(host))
    .addCommand(agentsUpdateCommand(host))
    .addCommand(agentsRollbackCommand(host))
    .addCommand(agentsRemoveCommand(host))
    .addCommand(agentsDoctorCommand(host))
    .addHelpText("after", afterHelp);
}

const afterHelp = `
ACP_REGISTRY is the URL or the file of a registry to use instead of the public one. Put agents and registries of your own into
~/.config/acp-kit/agents.json. The agents in the settings of Zed and of JetBrains' editors also have names.

Examples:
  acp-kit agents install gemini
  acp-kit chat gemini
  acp-kit agents update --dry-run`;
