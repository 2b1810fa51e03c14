import type { ChatCommand } from "./chat-command.js";
import { helpCommand } from "./help.js";
import { login, logout } from "./login.js";
import { config, mode, model, modes } from "./options.js";
import { permissions } from "./permissions.js";
import { load, newSession, sessionInfo, sessions } from "./sessions.js";
import { stop } from "./stop.js";
import { trace } from "./trace.js";
import { cancel, quit } from "./turn.js";

/** The chat's own commands, in the order of `/help`. */
export const chatCommands: readonly ChatCommand[] = [
  helpCommand(() => chatCommands),
  quit,
  cancel,
  stop,
  mode,
  modes,
  model,
  config,
  sessionInfo,
  sessions,
  load,
  newSession,
  login,
  logout,
  permissions,
  trace,
];
