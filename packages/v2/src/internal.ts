// For the other packages of this repository. This entry is not covered by semantic versioning.

export { BackgroundWork } from "./client/background-work.js";
export { optionsToApi } from "./client/config-options.js";
export { SessionReader } from "./client/session-reader.js";
export { openedToApi, permissionToApi } from "./client/to-api.js";
export { joinedText } from "./codec/content.js";
export { initializeResultToV1, isV2Result } from "./codec/initialize.js";
