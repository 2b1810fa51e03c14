import { checkOptions, type OptionKinds } from "@acp-kit/protocol";
import type { AgentDefinition, AgentOptions } from "./agent-definition.js";

/**
 * Checks the arguments of `createAgent` at run time, because no compiler finds misspelt handlers in JavaScript.
 *
 * @throws {InvalidOptionError} for the first handler or option that is missing, misspelt or of the wrong type.
 */
export function checkDefinition(definition: AgentDefinition, options: AgentOptions): void {
  checkOptions("createAgent", definition, definitionKinds);
  checkOptions("createAgent", definition.info, { name: "value!", version: "value!" }, "info.");
  checkOptions("createAgent", options, optionKinds);
}

const definitionKinds: OptionKinds<keyof AgentDefinition> = {
  info: "value!",
  newSession: "function!",
  prompt: "function!",
  loadSession: "function",
  resumeSession: "function",
  closeSession: "function",
  deleteSession: "function",
  listSessions: "function",
  setSessionMode: "function",
  setSessionConfigOption: "function",
  authMethods: "value",
  authenticate: "function",
  logout: "function",
  promptContent: "value",
  mcpTransports: "value",
  additionalDirectories: "value",
  capabilitiesMeta: "value",
  beforeUpdate: "function",
  keepTurns: "value",
  cancelElsewhere: "function",
  extensions: "value",
};

const optionKinds: OptionKinds<keyof AgentOptions> = {
  concurrentPrompts: "value",
  cancelGraceMs: "value",
  deadlines: "value",
  limits: "value",
  checkOutgoing: "function",
  tap: "function",
  tapSecrets: "value",
  errorDetails: "value",
  onDiagnostic: "function",
};
