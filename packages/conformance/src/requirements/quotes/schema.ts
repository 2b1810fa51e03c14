import { fromSchema, type Quote } from "./quote.js";

/** The sentences of the schema's descriptions that state rules. */
export const schemaQuotes: Readonly<Record<string, Quote>> = {
  "RPC-06": fromSchema(
    "RequestId",
    "An identifier established by the Client that MUST contain a String, Number, or NULL value if included.",
  ),
  "INIT-18": fromSchema(
    "SessionCapabilities",
    "As a baseline, all Agents **MUST** support `session/new`, `session/prompt`, `session/cancel`, and `session/update`.",
  ),
  "CAP-08": fromSchema(
    "McpServer/anyOf/0",
    "Only available when the Agent capabilities indicate `mcp_capabilities.http` is `true`.",
  ),
  "CAP-09": fromSchema(
    "McpServer/anyOf/1",
    "Only available when the Agent capabilities indicate `mcp_capabilities.sse` is `true`.",
  ),
  "CAP-18": fromSchema(
    "SessionConfigOptionsCapabilities/properties/boolean",
    'Omitted or `null` both mean the client does not advertise support. Supplying `{}` means agents may include `type: "boolean"` entries in `configOptions`',
  ),
  "CAP-19": fromSchema(
    "AuthMethodTerminal",
    "Agents MUST advertise this method only when the client enabled its terminal authentication capability.",
  ),
  "CAP-20": fromSchema(
    "Notice",
    "Agents MUST only send notices when the Client advertised the `session.notices` Client capability.",
  ),
  "CAP-21": fromSchema(
    "CompactionUpdate",
    "Agents MUST only send this update when the Client advertised the `session.compaction` Client capability.",
  ),
  "AUTH-03": fromSchema(
    "AuthMethodTerminal",
    "Agents MUST advertise this method only when the client enabled its terminal authentication capability.",
  ),
  "AUTH-04": fromSchema(
    "AuthenticateRequest/properties/methodId",
    "Must be one of the methods advertised in the initialize response.",
  ),
  "AUTH-05": fromSchema("AuthMethodTerminal", "The client MUST NOT pass this method to `authenticate`."),
  "DIR-17": fromSchema(
    "SessionInfo/properties/additionalDirectories",
    "When present, this is the complete ordered additional-root list reported by the Agent.",
  ),
  "MCP-02": fromSchema("McpServer/anyOf/2", "All Agents MUST support this transport."),
  "LIST-03": fromSchema(
    "ListSessionsRequest/properties/cwd",
    "Filter sessions by working directory. Must be an absolute path.",
  ),
  "PROMPT-04": fromSchema(
    "PromptRequest/properties/prompt",
    "As a baseline, the Agent MUST support `text` and `resource_link` content blocks, while other variants are optionally enabled via `PromptCapabilities`.",
  ),
  "MSG-04": fromSchema("MessageId", "Unique identifier for a message within a session."),
  "TOOL-02": fromSchema("ToolCallId", "Unique identifier for a tool call within a session."),
  "PERM-04": fromSchema("RequestPermissionOutcome/oneOf/1", "The user selected one of the provided options."),
  "CFG-07": fromSchema("SessionConfigOptionCategory", "It MUST NOT be required for correctness."),
  "CFG-08": fromSchema("SessionConfigOptionCategory", "Clients MUST handle missing or unknown categories gracefully."),
  "CFG-12": fromSchema(
    "SessionConfigOptionsCapabilities/properties/boolean",
    'Omitted or `null` both mean the client does not advertise support. Supplying `{}` means agents may include `type: "boolean"` entries in `configOptions`',
  ),
  "NOTICE-01": fromSchema(
    "Notice",
    "Agents MUST only send notices when the Client advertised the `session.notices` Client capability.",
  ),
  "NOTICE-02": fromSchema("Notice/properties/title", "Required non-empty plain-text title that can stand alone."),
  "NOTICE-06": fromSchema("Notice", "Agents must not rely on a notice being received, displayed, or seen by the user."),
  "COMPACT-01": fromSchema(
    "CompactionUpdate",
    "Agents MUST only send this update when the Client advertised the `session.compaction` Client capability.",
  ),
  "COMPACT-02": fromSchema(
    "CompactionUpdate/properties/compactionId",
    "The Agent-owned ID of this compaction, unique within the session.",
  ),
  "TERM-08": fromSchema(
    "CreateTerminalRequest/properties/outputByteLimit",
    "The Client MUST ensure truncation happens at a character boundary to maintain valid string output, even if this means the retained output is slightly less than the specified limit.",
  ),
  "ELICIT-05": fromSchema(
    "CreateElicitationRequest",
    "Elicitations are tied to a session (optionally a tool call) or a request.",
  ),
  "ELICIT-09": fromSchema("ElicitationSchema/properties/properties", "Property definitions (must be primitive types)."),
  "ELICIT-24": fromSchema("CreateElicitationResponse/anyOf/3", "They MUST NOT treat it as a known elicitation action."),
  "CANCEL-07": fromSchema(
    "StopReason/oneOf/4",
    "This stop reason MUST be returned when the client sends a `session/cancel` notification, even if the cancellation causes exceptions in underlying operations.",
  ),
};
