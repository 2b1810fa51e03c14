/** Where the protocol says what a rule says. */
export interface Quote {
  /** The sentence, word for word, without its marks of emphasis and links. */
  readonly text: string;
  /** The page below `https://agentclientprotocol.com/protocol/v1/`, with its anchor. */
  readonly page?: string;
  /** The JSON pointer into `schema/v1/schema.json` at whose description the sentence stands. */
  readonly pointer?: string;
}

/** The copies that the sentences were taken from. */
export const quoteRevisions = {
  pages: "agentclientprotocol.com/llms-full.txt, stored copy c2b853f5",
  schema: "schema/v1/schema.json of @agentclientprotocol/sdk@2.4.0",
} as const;

const page = (page: string, text: string): Quote => ({ page, text });
const schema = (pointer: string, text: string): Quote => ({ pointer: `#/$defs/${pointer}`, text });

const verifyFiles =
  "If readTextFile or writeTextFile is false or not present, the Agent MUST NOT attempt to call the corresponding filesystem method.";
const verifyTerminals = "If terminal is false or not present, the Agent MUST NOT attempt to call any terminal methods.";
const absolutePaths = "All file paths in the protocol MUST be absolute.";
const compaction =
  "Agents MUST only send this update when the Client advertised the `session.compaction` Client capability.";
const notices = "Agents MUST only send notices when the Client advertised the `session.notices` Client capability.";
const baseline =
  "As a baseline, all Agents **MUST** support `session/new`, `session/prompt`, `session/cancel`, and `session/update`.";
const cancelledReason =
  "This stop reason MUST be returned when the client sends a `session/cancel` notification, even if the cancellation causes exceptions in underlying operations.";
const terminalLogin =
  "Agents MUST advertise this method only when the client enabled its terminal authentication capability.";

/** The sentences behind rules, by the id of the rule. Rules of the schema's shapes have none: the finding names the place in the schema. */
export const quotes: Readonly<Record<string, Quote>> = {
  "RPC-05": page("overview#error-handling", "Notifications never receive responses (success or error)"),
  "INIT-02": page(
    "initialization#version-negotiation",
    "The initialize request MUST include the latest protocol version the Client supports.",
  ),
  "INIT-05": page(
    "initialization",
    "The Agent MUST respond with the chosen protocol version and the capabilities it supports.",
  ),
  "INIT-07": page(
    "initialization#version-negotiation",
    "If the Agent supports the requested version, it MUST respond with the same version.",
  ),
  "INIT-08": page(
    "initialization#version-negotiation",
    "Otherwise, the Agent MUST respond with the latest version it supports.",
  ),
  "INIT-10": page(
    "initialization#protocol-version",
    "Clients and Agents MUST agree on a protocol version and act according to its specification.",
  ),
  "INIT-12": page(
    "initialization#capabilities",
    "Therefore, Clients and Agents MUST treat all capabilities omitted in the initialize request as UNSUPPORTED.",
  ),
  "INIT-18": schema("SessionCapabilities", baseline),
  "CAP-13": page("file-system#checking-support", verifyFiles),
  "CAP-14": page("file-system#checking-support", verifyFiles),
  "FS-02": page("file-system#checking-support", verifyFiles),
  "CAP-15": page("terminals#checking-support", verifyTerminals),
  "TERM-01": page("terminals#checking-support", verifyTerminals),
  "CAP-19": schema("AuthMethodTerminal", terminalLogin),
  "AUTH-03": schema("AuthMethodTerminal", terminalLogin),
  "CAP-20": schema("Notice", notices),
  "NOTICE-01": schema("Notice", notices),
  "CAP-21": schema("CompactionUpdate", compaction),
  "COMPACT-01": schema("CompactionUpdate", compaction),
  "SESS-14": page(
    "session-setup#loading-a-session",
    "The Agent MUST replay the entire conversation to the Client in the form of session/update notifications (like session/prompt).",
  ),
  "SESS-15": page(
    "session-setup#loading-a-session",
    "When all the conversation entries have been streamed to the Client, the Agent MUST respond to the original session/load request.",
  ),
  "MCP-02": schema("McpServer/anyOf/2", "All Agents MUST support this transport."),
  "PROMPT-03": page(
    "prompt-turn#1-user-message",
    "Clients MUST restrict types of content according to the Prompt Capabilities established during initialization.",
  ),
  "PROMPT-04": schema(
    "PromptRequest/properties/prompt",
    "As a baseline, the Agent MUST support `text` and `resource_link` content blocks, while other variants are optionally enabled via `PromptCapabilities`.",
  ),
  "PROMPT-07": page(
    "prompt-turn#4-check-for-completion",
    "If there are no pending tool calls, the turn ends and the Agent MUST respond to the original session/prompt request with a StopReason:",
  ),
  "PERM-06": page(
    "prompt-turn#cancellation",
    "The Client MUST respond to all pending session/request_permission requests with the cancelled outcome.",
  ),
  "CANCEL-04": page(
    "prompt-turn#cancellation",
    "The Client MUST respond to all pending session/request_permission requests with the cancelled outcome.",
  ),
  "CANCEL-06": page(
    "prompt-turn#cancellation",
    "After all ongoing operations have been successfully aborted and pending updates have been sent, the Agent MUST respond to the original session/prompt request with the cancelled stop reason.",
  ),
  "CANCEL-07": schema("StopReason/oneOf/4", cancelledReason),
  "CANCEL-08": page(
    "prompt-turn#cancellation",
    "The Agent MAY send session/update notifications with content or tool call updates after receiving the session/cancel notification, but it MUST ensure that it does so before responding to the session/prompt request.",
  ),
  "PLAN-04": page(
    "agent-plan#updating-plans",
    "The Agent MUST send a complete list of all plan entries in each update and their current status.",
  ),
  "PLAN-05": page("agent-plan#updating-plans", "The Client MUST replace the current plan completely."),
  "TERM-08": schema(
    "CreateTerminalRequest/properties/outputByteLimit",
    "The Client MUST ensure truncation happens at a character boundary to maintain valid string output, even if this means the retained output is slightly less than the specified limit.",
  ),
  "TERM-13": page(
    "terminals#executing-commands",
    "The Agent MUST release the terminal using terminal/release when it's no longer needed.",
  ),
  "FS-03": page("overview#argument-requirements", absolutePaths),
  "SESS-07": page("overview#argument-requirements", absolutePaths),
  "TERM-05": page("overview#argument-requirements", absolutePaths),
  "TOOL-12": page("overview#argument-requirements", absolutePaths),
  "TOOL-15": page("overview#argument-requirements", absolutePaths),
  "FS-08": page("file-system#writing-files", "The Client MUST create the file if it doesn't exist."),
  "ELICIT-24": schema("CreateElicitationResponse/anyOf/3", "They MUST NOT treat it as a known elicitation action."),
  "EXT-03": page(
    "extensibility#the-_meta-field",
    "Implementations MUST NOT add any custom fields at the root of a type that's part of the specification.",
  ),
  "EXT-05": page(
    "extensibility#custom-requests",
    "Upon receiving a custom request, implementations MUST respond accordingly with the provided id:",
  ),
};

/** The address of the page that a quote stands on; nothing for a quote of the schema. */
export function addressOf({ page }: Quote): string | undefined {
  return page === undefined ? undefined : `https://agentclientprotocol.com/protocol/v1/${page}`;
}
