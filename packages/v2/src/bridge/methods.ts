// The standard methods that only one version has. A peer of the other version gets `-32601`, although the receiver
// would know the method.

export const v1OnlyAgentMethods = ["authenticate", "logout", "session/load", "session/set_mode"] as const;

export const v2OnlyAgentMethods = ["auth/login", "auth/logout", "tool_call/cancel", "terminal/cancel"] as const;

/** Files and terminals of the client. */
export const v1OnlyClientMethods = [
  "fs/read_text_file",
  "fs/write_text_file",
  "terminal/create",
  "terminal/output",
  "terminal/wait_for_exit",
  "terminal/kill",
  "terminal/release",
] as const;
