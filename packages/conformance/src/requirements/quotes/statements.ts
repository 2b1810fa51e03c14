import type { Statement } from "./quote.js";

const shape = "only the schema defines this rule; no sentence of the specification describes it";
const noCopy =
  "the page is newer than every copy of the specification that this package could quote, so the rule is advice and never affects the verdict";

const noRfd =
  "the schema only names the states; the RFD (a proposal for the specification) that defines their order is not among the package's copies";

const bySchema = (path: string, because = shape): Statement => ({ pointer: `#/$defs/${path}`, because });
const byPage = (page: string, because = noCopy): Statement => ({
  address: `https://agentclientprotocol.com/${page}`,
  because,
});

/** The locations of rules without a quoted sentence. A rule is either here or in {@link quotes}. */
export const statements: Readonly<Record<string, Statement>> = {
  "RPC-10": bySchema("ClientRequest/properties/params"),
  "INIT-11": bySchema("ProtocolVersion"),
  "SESS-02": bySchema("NewSessionRequest/required"),
  "MCP-06": bySchema("McpServerStdio/required"),
  "MCP-07": bySchema("McpServerHttp/required"),
  "LIST-06": bySchema("SessionInfo/required"),
  "PROMPT-02": bySchema("PromptRequest/required"),
  "UPD-01": bySchema("SessionNotification/required"),
  "CONT-01": bySchema("ContentBlock/oneOf"),
  "TOOL-11": bySchema("ToolCallContent/oneOf"),
  "PERM-02": bySchema("RequestPermissionRequest/required"),
  "PLAN-02": bySchema("PlanEntry/required"),
  "CFG-02": bySchema("SessionConfigOption/required"),
  "CMD-02": bySchema("AvailableCommand/required"),
  "USAGE-02": bySchema("UsageUpdate/required"),
  "USAGE-04": bySchema("Cost/required"),
  "COMPACT-03": bySchema("CompactionUpdate/required"),
  "COMPACT-04": bySchema("CompactionStatus", noRfd),
  "COMPACT-06": bySchema("CompactionSummaryChunk", noRfd),
  "FS-11": bySchema("ReadTextFileRequest/required"),
  "TERM-03": bySchema("CreateTerminalRequest/required"),
  "ELICIT-03": bySchema("CreateElicitationRequest/anyOf"),
  "ELICIT-04": bySchema("CreateElicitationRequest/required"),
  "ELICIT-06": bySchema("ElicitationUrlMode/required"),
  "ERR-03": byPage("protocol/v1/error"),
};
