// Exports for the commands `create-acp-agent` and `create-acp-client`.
export { type CreateOptions, createProject } from "./create-project.js";
