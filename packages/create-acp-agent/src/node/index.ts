// For the starters: `create-acp-agent` itself, and `create-acp-client`.
export { type CreateOptions, createProject } from "./create-project.js";
