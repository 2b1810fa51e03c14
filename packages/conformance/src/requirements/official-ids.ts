/**
 * Ids of the protocol's own test kit (`agentclientprotocol/acp-tck`, agents on version 1) that no rule of this package has in its `officialIds`,
 * because no rule matches them.
 */
export const officialIdsWithoutRule: Readonly<Record<string, string>> = {
  "ACP-ADDDIRS-001":
    "That a valid list is accepted follows from the advertised capability; we have rules on invalid ones (DIR-03, DIR-07).",
  "ACP-PROMPTCAP-001":
    "That an advertised block type works follows from the advertised capability; no rule says it by itself.",
  "ACP-PROMPTCAP-002": "As ACP-PROMPTCAP-001, for audio.",
  "ACP-PROMPTCAP-003": "As ACP-PROMPTCAP-001, for embedded resources.",
  "ACP-AUTH-005":
    "That an agent without login methods never asks for a login is advice of the kit; version 1 doesn't say it.",
};
