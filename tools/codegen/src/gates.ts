/**
 * Facts that the schema does not contain, written by hand: the capability that a method, a variant or a member needs,
 * and the members for which `null` means "clear" rather than "absent". Source: the protocol's prose (initialization,
 * session setup, prompt turn and the pages of each feature). `checkGates` compares every line with the schema, so an
 * outdated line stops the generator.
 */
export interface Gates {
  /** The gate of each method, by the side that handles the method. Every method of the schema has an entry. */
  readonly methods: Readonly<Record<string, Readonly<Record<string, MethodGate>>>>;
  /** Parts of messages that need a capability of the receiver. */
  readonly payloads: readonly PayloadGate[];
  /** Objects whose members are switches: `{}` turns the capability on. */
  readonly switches: readonly string[];
  /**
   * For each definition, the members that keep their value when an update omits them, and lose it when the update
   * contains `null`. `"all"`: every optional nullable member.
   */
  readonly patches: Readonly<Record<string, "all" | readonly string[]>>;
}

/**
 * `"baseline"`: the method is always allowed. `{ capability }`: the handler must advertise one of these capabilities,
 * written as `side.path.to.capability`. `{ condition }`: the method is allowed under a condition, which is described in
 * words.
 */
export type MethodGate = "baseline" | { readonly capability: readonly string[] } | { readonly condition: string };

/** A gate on part of a message. */
export interface PayloadGate {
  /** `Definition.member`, or `Definition` if the definition is the union. */
  readonly at: string;
  /** The tag (or enum value) that needs the capability. If absent, the member itself needs it. */
  readonly variant?: string;
  readonly capability: string;
}

const capability = (...paths: string[]): MethodGate => ({ capability: paths });
const condition = (text: string): MethodGate => ({ condition: text });

/** Requires one capability for several places. */
function payloads(places: readonly string[], variants: Readonly<Record<string, string>> | string): PayloadGate[] {
  return places.flatMap((at) =>
    typeof variants === "string"
      ? [{ at, capability: variants }]
      : Object.entries(variants).map(([variant, path]) => ({ at, variant, capability: path })),
  );
}

const terminal = capability("client.terminal");
const elicitation = capability("client.elicitation.form", "client.elicitation.url");
const afterUrlElicitation = condition("an earlier elicitation had mode `url`");

const v1 = {
  methods: {
    agent: {
      initialize: "baseline",
      authenticate: condition("`authMethods` lists a method that is not of type `terminal`"),
      logout: capability("agent.auth.logout"),
      "session/new": "baseline",
      "session/load": capability("agent.loadSession"),
      "session/list": capability("agent.sessionCapabilities.list"),
      "session/delete": capability("agent.sessionCapabilities.delete"),
      "session/resume": capability("agent.sessionCapabilities.resume"),
      "session/close": capability("agent.sessionCapabilities.close"),
      "session/set_mode": condition("the session's response had `modes`"),
      "session/set_config_option": condition("the session's response had `configOptions`"),
      "session/prompt": "baseline",
      "session/cancel": "baseline",
    },
    client: {
      "session/update": "baseline",
      "session/request_permission": "baseline",
      "fs/read_text_file": capability("client.fs.readTextFile"),
      "fs/write_text_file": capability("client.fs.writeTextFile"),
      "terminal/create": terminal,
      "terminal/output": terminal,
      "terminal/wait_for_exit": terminal,
      "terminal/kill": terminal,
      "terminal/release": terminal,
      "elicitation/create": elicitation,
      "elicitation/complete": afterUrlElicitation,
    },
    protocol: { "$/cancel_request": "baseline" },
  },
  payloads: [
    ...payloads(["PromptRequest.prompt"], {
      image: "agent.promptCapabilities.image",
      audio: "agent.promptCapabilities.audio",
      resource: "agent.promptCapabilities.embeddedContext",
    }),
    ...payloads(["NewSessionRequest.mcpServers", "LoadSessionRequest.mcpServers", "ResumeSessionRequest.mcpServers"], {
      http: "agent.mcpCapabilities.http",
      sse: "agent.mcpCapabilities.sse",
    }),
    ...payloads(
      [
        "NewSessionRequest.additionalDirectories",
        "LoadSessionRequest.additionalDirectories",
        "ResumeSessionRequest.additionalDirectories",
      ],
      "agent.sessionCapabilities.additionalDirectories",
    ),
    ...payloads(["SessionNotification.update"], {
      notice: "client.session.notices",
      compaction_update: "client.session.compaction",
      compaction_summary_chunk: "client.session.compaction",
    }),
    ...payloads(["ToolCall.content", "ToolCallUpdate.content"], { terminal: "client.terminal" }),
    ...payloads(
      [
        "NewSessionResponse.configOptions",
        "LoadSessionResponse.configOptions",
        "ResumeSessionResponse.configOptions",
        "SetSessionConfigOptionResponse.configOptions",
        "ConfigOptionUpdate.configOptions",
      ],
      { boolean: "client.session.configOptions.boolean" },
    ),
    ...payloads(["InitializeResponse.authMethods"], { terminal: "client.auth.terminal" }),
    ...payloads(["CreateElicitationRequest"], {
      form: "client.elicitation.form",
      url: "client.elicitation.url",
    }),
  ],
  switches: [],
  patches: { SessionInfoUpdate: "all", CompactionUpdate: "all" },
} satisfies Gates;

/** The additions of the unstable schemas of both versions. */
const unstableMethods = {
  client: { "auth/status_update": capability("agent.auth.status") },
  proxy: {
    "proxy/initialize": condition("the component runs as a proxy"),
    "proxy/successor": condition("the component runs as a proxy"),
  },
};
const providers = capability("agent.providers");
const authStatus = capability("agent.auth.status");
const mcpOverAcp = capability("agent.mcpCapabilities.acp");
const archive = capability("agent.sessionCapabilities.archive");

const v1Unstable: Gates = {
  methods: {
    agent: {
      ...v1.methods.agent,
      "providers/list": providers,
      "providers/set": providers,
      "providers/disable": providers,
      "auth/status": authStatus,
      "session/fork": capability("agent.sessionCapabilities.fork"),
      "session/archive": archive,
      "session/unarchive": archive,
      "session/status": capability("agent.sessionCapabilities.status"),
      "session/set_title": capability("agent.sessionCapabilities.title"),
      "mcp/message": mcpOverAcp,
    },
    client: { ...v1.methods.client, ...unstableMethods.client, "mcp/message": mcpOverAcp },
    protocol: { ...v1.methods.protocol },
    proxy: unstableMethods.proxy,
  },
  payloads: [
    ...v1.payloads,
    ...payloads(["ForkSessionRequest.mcpServers"], {
      http: "agent.mcpCapabilities.http",
      sse: "agent.mcpCapabilities.sse",
    }),
    ...payloads(
      [
        "NewSessionRequest.mcpServers",
        "LoadSessionRequest.mcpServers",
        "ResumeSessionRequest.mcpServers",
        "ForkSessionRequest.mcpServers",
      ],
      { acp: "agent.mcpCapabilities.acp" },
    ),
    ...payloads(["ForkSessionRequest.additionalDirectories"], "agent.sessionCapabilities.additionalDirectories"),
    ...payloads(["ForkSessionResponse.configOptions"], { boolean: "client.session.configOptions.boolean" }),
    ...payloads(
      [
        "NewSessionRequest.systemPrompt",
        "LoadSessionRequest.systemPrompt",
        "ResumeSessionRequest.systemPrompt",
        "ForkSessionRequest.systemPrompt",
      ],
      "agent.sessionCapabilities.systemPrompt",
    ),
    ...payloads(["SystemPrompt.mode"], { override: "agent.sessionCapabilities.systemPrompt.mode.override" }),
    ...payloads(["ListSessionsRequest.archived"], "agent.sessionCapabilities.archive"),
    ...payloads(["SessionNotification.update"], {
      plan_update: "client.plan",
      plan_removed: "client.plan",
      subagent_update: "client.subagents",
      session_message: "client.subagents",
      session_message_chunk: "client.subagents",
    }),
  ],
  switches: ["agent.sessionCapabilities.systemPrompt"],
  patches: { ...v1.patches, SubagentUpdate: "all", SessionMessage: "all" },
};

const session = capability("agent.session");
const auth = condition("`authMethods` is not empty");

const v2 = {
  methods: {
    agent: {
      initialize: "baseline",
      "auth/login": auth,
      "auth/logout": auth,
      "session/new": session,
      "session/list": session,
      "session/resume": session,
      "session/close": session,
      "session/prompt": session,
      "session/cancel": session,
      "session/delete": capability("agent.session.delete"),
      "session/set_config_option": condition("the session's response had `configOptions`"),
      "tool_call/cancel": condition("the tool call's `capabilities` has `cancel`"),
      "terminal/cancel": condition("the terminal's `capabilities` has `cancel`"),
    },
    client: {
      "session/update": "baseline",
      "session/request_permission": "baseline",
      "elicitation/create": elicitation,
      "elicitation/complete": afterUrlElicitation,
    },
    protocol: { "$/cancel_request": "baseline" },
  },
  payloads: [
    ...payloads(["PromptRequest.prompt"], {
      image: "agent.session.prompt.image",
      audio: "agent.session.prompt.audio",
      resource: "agent.session.prompt.embeddedContext",
    }),
    ...payloads(["NewSessionRequest.mcpServers", "ResumeSessionRequest.mcpServers"], {
      stdio: "agent.session.mcp.stdio",
      http: "agent.session.mcp.http",
    }),
    ...payloads(
      ["NewSessionRequest.additionalDirectories", "ResumeSessionRequest.additionalDirectories"],
      "agent.session.additionalDirectories",
    ),
    ...payloads(["InitializeResponse.authMethods"], { terminal: "client.auth.terminal" }),
    ...payloads(["CreateElicitationRequest"], {
      form: "client.elicitation.form",
      url: "client.elicitation.url",
    }),
  ],
  switches: ["agent.session"],
  patches: {
    AgentMessage: "all",
    AgentThought: "all",
    CompactionUpdate: "all",
    SessionInfoUpdate: "all",
    TerminalUpdate: "all",
    ToolCallUpdate: "all",
    UsageUpdate: ["cost"],
    UserMessage: "all",
  },
} satisfies Gates;

const v2McpOverAcp = capability("agent.session.mcp.acp");
const v2Archive = capability("agent.session.archive");

const v2Unstable: Gates = {
  methods: {
    agent: {
      ...v2.methods.agent,
      "providers/list": providers,
      "providers/set": providers,
      "providers/disable": providers,
      "auth/status": authStatus,
      "session/fork": capability("agent.session.fork"),
      "session/archive": v2Archive,
      "session/unarchive": v2Archive,
      "session/status": capability("agent.session.status"),
      "session/set_title": capability("agent.session.title"),
      "mcp/message": v2McpOverAcp,
    },
    client: { ...v2.methods.client, ...unstableMethods.client, "mcp/message": v2McpOverAcp },
    protocol: { ...v2.methods.protocol },
    proxy: unstableMethods.proxy,
  },
  payloads: [
    ...v2.payloads,
    ...payloads(["ForkSessionRequest.mcpServers"], {
      stdio: "agent.session.mcp.stdio",
      http: "agent.session.mcp.http",
    }),
    ...payloads(["NewSessionRequest.mcpServers", "ResumeSessionRequest.mcpServers", "ForkSessionRequest.mcpServers"], {
      acp: "agent.session.mcp.acp",
    }),
    ...payloads(["ForkSessionRequest.additionalDirectories"], "agent.session.additionalDirectories"),
    ...payloads(
      ["NewSessionRequest.systemPrompt", "ResumeSessionRequest.systemPrompt", "ForkSessionRequest.systemPrompt"],
      "agent.session.systemPrompt",
    ),
    ...payloads(["SystemPrompt.mode"], { override: "agent.session.systemPrompt.mode.override" }),
    ...payloads(["ListSessionsRequest.archived"], "agent.session.archive"),
  ],
  switches: [...v2.switches, "agent.session.systemPrompt"],
  patches: { ...v2.patches, SubagentUpdate: "all", SessionMessage: "all" },
};

/** The tables of gates, by the id of their schema. */
export const gates: Readonly<Record<string, Gates>> = {
  v1,
  "v1-unstable": v1Unstable,
  v2,
  "v2-unstable": v2Unstable,
};

/** Method names in code, for methods whose definition gives no name, or the same name as another method's. */
export const handlerNames: Readonly<Record<string, string>> = {
  SessionNotification: "sessionUpdate",
  ProxySuccessorNotification: "proxySuccessorNotification",
};
