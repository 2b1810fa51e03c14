// For clients' tests, and for those who serve the agent themselves.
export { everythingAgentCommand } from "./command-line.js";
export { fileLogin } from "./file-login.js";
export { fileStore } from "./file-store.js";
