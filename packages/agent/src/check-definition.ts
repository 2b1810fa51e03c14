import { checkOptions, connectionLimitKinds, type OptionKinds } from "@acp-kit/protocol/internal";
import type { AgentDefinition } from "./agent-definition.js";
import type { AgentOptions } from "./agent-options.js";

/**
 * Checks the arguments of `createAgent` at run time, because no compiler finds misspelt handlers in JavaScript.
 *
 * @throws {InvalidOptionError} for the first handler or option that is missing, misspelt or of the wrong type.
 */
export function checkDefinition(definition: AgentDefinition, options: AgentOptions): void {
  // `aiSdkAgent` adds `restore`.
  checkOptions<object>("createAgent", definition, { ...definitionKinds, restore: "function" });
  checkOptions("createAgent", definition.info, infoKinds, "info.");
  checkOptions("createAgent", options, optionKinds);
  checkOptions("createAgent", options.limits ?? {}, limitKinds, "limits.");
  options.versions?.[0]?.check(definition);
}

const definitionKinds: OptionKinds<AgentDefinition> = {
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
  unstable: "value",
};

const infoKinds: OptionKinds<AgentDefinition["info"]> = {
  name: "value!",
  version: "value!",
  title: "value",
  _meta: "value",
};

const { initializeTimeoutMs: _, ...limitKinds } = connectionLimitKinds;

const optionKinds: OptionKinds<AgentOptions> = {
  versions: "value",
  concurrentPrompts: ["queue", "reject", "merge"],
  cancelGraceMs: "value",
  limits: "value",
  checkOutgoing: "function",
  tap: "function",
  tapSecrets: "value",
  errorDetails: ["hide", "send"],
  onDiagnostic: "function",
};
