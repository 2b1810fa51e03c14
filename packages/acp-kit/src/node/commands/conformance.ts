import { Command } from "commander";
import type { Host } from "../host.js";
import { conformanceAgentCommand } from "./conformance-agent.js";
import { conformanceClientCommand } from "./conformance-client.js";
import { conformanceMatrixCommand } from "./conformance-matrix.js";

/** `acp-kit conformance`: tests whether a peer follows the protocol. */
export function conformanceCommand(host: Host): Command {
  return new Command("conformance")
    .enablePositionalOptions() // so that everything after -- belongs to the peer
    .summary("test whether an agent or a client follows the protocol")
    .usage("agent|client [options] -- <command…>")
    .description(
      "Black-box tests: starts the peer once per scenario and exchanges messages with it over its standard input and output.",
    )
    .addCommand(conformanceAgentCommand(host))
    .addCommand(conformanceClientCommand(host))
    .addCommand(conformanceMatrixCommand(host));
}
