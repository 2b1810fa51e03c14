// For the other packages of this repository. This entry is not covered by semantic versioning.

export { messageLimitDefaults } from "@acp-kit/jsonrpc";
export {
  after,
  checkOptions,
  type Deferred,
  deferred,
  editDistance,
  hasHalf,
  isDeeperThan,
  limitsAmong,
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
export { deadlineKinds } from "./deadlines.js";
export { diagnosticReporter } from "./diagnostic-reporter.js";
export { type FileExtension, type FileExtensionMethod, fileExtensions } from "./file-extensions.js";
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
