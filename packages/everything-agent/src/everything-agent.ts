import { type Agent, type AgentOptions, createAgent } from "@acp-kit/agent";
import { checkOptions, type OptionKinds } from "@acp-kit/protocol/internal";
import { definitionOf } from "./definition.js";
import { handlePing } from "./extensions.js";
import { type EverythingOptions, everythingDefaults } from "./options.js";
import { recordHistory } from "./record-history.js";
import { memoryEverythingStore } from "./session-store.js";
import { Sessions } from "./sessions.js";

/**
 * Creates an agent without a model that shows every feature of the protocol, each by a slash command.
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
      const connection = createAgent(definitionOf(sessions, settings), agentOptions).connect(transport, defaults);
      handlePing(connection);
      recordHistory(connection, sessions);
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
