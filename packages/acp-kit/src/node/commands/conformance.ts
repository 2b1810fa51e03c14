import { Command } from "commander";
import type { Host } from "../host.js";
import { conformanceAgentCommand } from "./conformance-agent.js";
import { conformanceClientCommand } from "./conformance-client.js";

/** `acp-kit conformance`: tests whether a peer follows the protocol. */
export function conformanceCommand(host: Host): Command {
  return new Command("conformance")
    .enablePositionalOptions() // otherwise commander would parse the options of the tested program
    .summary("test whether an agent or a client follows the protocol")
    .usage("agent|client [options] -- <command…>")
    .description(
      "Starts the agent or the client once per scenario, exchanges messages with it over standard input and output, and checks them.",
    )
    .addCommand(conformanceAgentCommand(host))
    .addCommand(conformanceClientCommand(host));
}
