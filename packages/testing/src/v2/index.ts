// Scripted peers of version 2 of the protocol, a draft.
export { type V2AgentScript, v2AgentScript } from "./agent-script.js";
export { type V2ClientScript, type V2ScriptedClient, v2ClientScript } from "./client-script.js";
export type { V2ScriptedAgent, V2ScriptWork } from "./script-work.js";
