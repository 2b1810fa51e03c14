import { everythingAgentUsage, runEverythingAgent } from "@acp-kit/everything-agent/node";
import { Command } from "commander";
import type { ExitCode } from "../exit-code.js";
import type { Host } from "../host.js";
import { version } from "../version.js";

const name = "acp-kit demo-agent";

/** `acp-kit demo-agent`: runs the everything agent, which parses the options itself, also `--help`. */
export function demoAgentCommand(host: Host): Command {
  const command = new Command("demo-agent")
    .summary("run an agent that needs no model and shows every feature, for trying clients")
    .allowUnknownOption()
    .passThroughOptions()
    .argument("[options...]")
    .action(async (words: string[]) => {
      host.exitCode = (await runEverythingAgent(words, { name, version: version() })) as ExitCode;
    });
  command.helpInformation = () => everythingAgentUsage(name);
  return command;
}
