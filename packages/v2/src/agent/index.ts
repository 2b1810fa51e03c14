// For authors of agents that speak versions 1 and 2 of the protocol.

export { v2 } from "./agent-version.js";
export { fileChange } from "./file-change.js";
