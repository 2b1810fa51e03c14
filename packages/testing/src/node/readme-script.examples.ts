// #region process
import { type AgentScript, agentScript } from "@acp-kit/testing";

const script: AgentScript = agentScript()
  .onPrompt("hello", (turn) => turn.message("Hi!"))
  .onPrompt("crash", () => process.exit(3));

export default script;
// #endregion process
