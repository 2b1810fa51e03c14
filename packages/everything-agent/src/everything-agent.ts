import { type Agent, type AgentOptions, createAgent } from "@acp-kit/agent";
import { checkOptions, type OptionKinds } from "@acp-kit/protocol/internal";
import { v2 } from "@acp-kit/v2/agent";
import { definitionOf } from "./definition.js";
import { handlePing } from "./extensions.js";
import { type EverythingOptions, everythingDefaults } from "./options.js";
import { memoryEverythingStore } from "./session-store.js";
import { Sessions } from "./sessions.js";

/**
 * Creates an agent without a model that shows every feature of versions 1 and 2 of the protocol, each by a slash
 * command.
 *
 * The agent is deterministic: the same prompts give the same updates. Each connection has separate sessions; all
 * connections share the store.
 */
export function everythingAgent(options: EverythingOptions = {}, agentOptions: AgentOptions = {}): Agent {
  checkOptions("everythingAgent", options, optionKinds);
  const { store = memoryEverythingStore(), now = () => new Date(), pageSize, paceMs } = options;
  const settings = {
    ...options,
    pageSize: pageSize ?? everythingDefaults.pageSize,
    paceMs: paceMs ?? everythingDefaults.paceMs,
  };
  return {
    connect(transport, defaults) {
      const sessions = new Sessions(store, now);
      const agent = createAgent(definitionOf(sessions, settings), { versions: [v2], ...agentOptions });
      const connection = agent.connect(transport, defaults);
      handlePing(connection);
      void connection.closed.then(() => sessions.closeAll());
      return connection;
    },
  };
}

const optionKinds: OptionKinds<EverythingOptions> = {
  store: "value",
  login: "value",
  terminalLoginArgs: "value",
  pageSize: "value",
  paceMs: "value",
  connectMcp: "function",
  version: "value",
  now: "function",
};
