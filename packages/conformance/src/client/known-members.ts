/** The members that the schema declares, beside `_meta`: of the params of what a client sends, and of its results. A test compares it with the schema. */
export const knownMembers: {
  readonly params: Readonly<Record<string, readonly string[]>>;
  readonly results: Readonly<Record<string, readonly string[]>>;
} = {
  params: {
    "$/cancel_request": ["requestId"],
    authenticate: ["methodId"],
    initialize: ["clientCapabilities", "clientInfo", "protocolVersion"],
    logout: [],
    "session/cancel": ["sessionId"],
    "session/close": ["sessionId"],
    "session/delete": ["sessionId"],
    "session/list": ["cursor", "cwd"],
    "session/load": ["additionalDirectories", "cwd", "mcpServers", "sessionId"],
    "session/new": ["additionalDirectories", "cwd", "mcpServers"],
    "session/prompt": ["prompt", "sessionId"],
    "session/resume": ["additionalDirectories", "cwd", "mcpServers", "sessionId"],
    "session/set_config_option": ["configId", "sessionId", "type", "value"],
    "session/set_mode": ["modeId", "sessionId"],
  },
  results: {
    "elicitation/create": ["action", "content"],
    "fs/read_text_file": ["content"],
    "fs/write_text_file": [],
    "session/request_permission": ["outcome"],
    "terminal/create": ["terminalId"],
    "terminal/kill": [],
    "terminal/output": ["exitStatus", "output", "truncated"],
    "terminal/release": [],
    "terminal/wait_for_exit": ["exitCode", "signal"],
  },
};
