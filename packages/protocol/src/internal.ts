// For the other packages of this repository. This entry is not covered by semantic versioning.

export { JsonRpcErrorCode } from "@acp-kit/jsonrpc";
export {
  after,
  type Backlog,
  backlogOf,
  checkOptions,
  type Deferred,
  deferred,
  editDistance,
  hasHalf,
  isDeeperThan,
  isJsonObject,
  isThenable,
  type JsonObject,
  limitsAmong,
  messageLimitDefaults,
  nearestName,
  type OptionKinds,
  onAbort,
  prefixOf,
  quote,
  settledWithin,
  shorten,
  suffixOf,
  type TimerOptions,
  WholeCharacters,
  withinDepth,
} from "@acp-kit/jsonrpc/internal";
export { isAbsolutePath } from "./absolute-path.js";
export { assertAgentCapability, assertClientCapability } from "./capabilities.js";
export { diagnosticReporter } from "./diagnostic-reporter.js";
export type { ExtensionName, Extensions } from "./extension.js";
export {
  type DeleteFileRequest,
  type FileExtension,
  type FileExtensionMethod,
  fileExtensions,
  type RenameFileRequest,
} from "./file-extensions.js";
export { firstOptionOfKind } from "./first-option-of-kind.js";
export { quoteGitPath, unquoteGitPath } from "./git-path.js";
export { type ConnectionLimits, connectionLimitKinds, type OutgoingCheck } from "./peer.js";
export { requestTimeoutDefaults } from "./request-timeouts.js";
export type { CallTypes, Part } from "./role.js";
export {
  isNameMember,
  isSecretName,
  type MemberSetting,
  type Place,
  placeInObject,
  placeOfItem,
  placeOfMember,
  REDACTED,
  SECRET_WORDS,
} from "./secret-places.js";
