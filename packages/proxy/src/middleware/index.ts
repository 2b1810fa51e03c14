export { addContext } from "./add-context.js";
export { addInstructions } from "./add-instructions.js";
export { decidePermissions, type ProxyPermissionContext, type ProxyPermissionRule } from "./decide-permissions.js";
export { hideTools } from "./hide-tools.js";
export { type LoggedMessage, logMessages } from "./log-messages.js";
export { type MappedFolder, mapPaths } from "./map-paths.js";
export { type MessageRedactor, redactMessages } from "./redact-messages.js";
