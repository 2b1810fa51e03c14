// For applications: files.
export type { AgentLedger, Environment } from "@acp-kit/stdio/node"; // they appear in the signatures of this package
// The default of `inheritEnv`, which an application can extend.
export { essentialEnvironment } from "@acp-kit/stdio/node";
export type { FileAccess, WorkspaceFilesOptions } from "./files/files-options.js";
export type { Overlay, OverlayFile } from "./files/overlay.js";
export type { FileRefusalReason } from "./files/refusal.js";
export { type WorkspaceFiles, workspaceFiles } from "./files/workspace-files.js";
// For agents.
export {
  type LocalCommand,
  type LocalCommandResult,
  type LocalEnvironment,
  type LocalEnvironmentOptions,
  localEnvironment,
} from "./local-environment.js";
// Exports for applications and for agents.
export type { Root, Roots } from "./roots.js";
export type {
  Shell,
  TerminalInfo,
  WorkspaceTerminalsOptions,
} from "./terminals/terminals-options.js";
export { type WorkspaceTerminals, workspaceTerminals } from "./terminals/workspace-terminals.js";
export type { WorkspaceContext, WorkspaceSession } from "./workspace-context.js";
