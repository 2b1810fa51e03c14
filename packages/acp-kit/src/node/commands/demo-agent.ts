import { everythingAgentUsage, runEverythingAgent } from "@acp-kit/everything-agent/node";
import { Command } from "commander";
import type { ExitCode } from "../exit-code.js";
import type { Host } from "../host.js";
import { version } from "../version.js";

const name = "acp-kit demo-agent";

/** `acp-kit demo-agent`: the everything agent on standard input and output. Its options, help included, are the agent's own. */
export function demoAgentCommand(host: Host): Command {
  const command = new Command("demo-agent")
    .summary("run an agent without a model that shows every feature, to try clients on")
    .allowUnknownOption()
    .passThroughOptions()
    .argument("[options...]")
    .action(async (words: string[]) => {
      host.exitCode = (await runEverythingAgent(words, { name, version: version() })) as ExitCode;
    });
  command.helpInformation = () => everythingAgentUsage(name);
  return command;
}
