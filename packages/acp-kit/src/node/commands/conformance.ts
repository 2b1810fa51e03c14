import { Command } from "commander";
import type { Host } from "../host.js";
import { conformanceAgentCommand } from "./conformance-agent.js";
import { conformanceClientCommand } from "./conformance-client.js";
import { conformanceMatrixCommand } from "./conformance-matrix.js";

/** `acp-kit conformance`: does a peer keep the protocol's rules? */
export function conformanceCommand(host: Host): Command {
  return new Command("conformance")
    .enablePositionalOptions() // so that what is behind -- is left to the peer
    .summary("test whether an agent, or a client, keeps the rules of the protocol")
    .usage("agent|client [options] -- <command…>")
    .description(
      "Black-box tests: the peer is started anew for each scenario, and spoken to over the pipes between client and agent.",
    )
    .addCommand(conformanceAgentCommand(host))
    .addCommand(conformanceClientCommand(host))
    .addCommand(conformanceMatrixCommand(host));
}
