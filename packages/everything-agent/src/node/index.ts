// For tests of clients, and for programs that serve the agent themselves.
export { usageOf as everythingAgentUsage } from "./arguments.js";
export { everythingAgentCommand } from "./command-line.js";
export { fileLogin } from "./file-login.js";
export { fileStore } from "./file-store.js";
export { type RunOptions, runEverythingAgent } from "./run-everything-agent.js";
