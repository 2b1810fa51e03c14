/**
 * Ids of the protocol's own test kit (`agentclientprotocol/acp-tck`, agents on version 1) that match no rule of this package, each with the
 * reason. No rule has these ids in its `officialIds`.
 */
export const officialIdsWithoutRule: Readonly<Record<string, string>> = {
  "ACP-ADDDIRS-001":
    "An agent that advertises the capability accepts valid lists, so no separate rule says so; the rules of this package are about invalid lists (DIR-03, DIR-07).",
  "ACP-PROMPTCAP-001":
    "An agent that advertises a block type accepts blocks of that type, so no separate rule says so.",
  "ACP-PROMPTCAP-002": "As ACP-PROMPTCAP-001, for audio.",
  "ACP-PROMPTCAP-003": "As ACP-PROMPTCAP-001, for embedded resources.",
  "ACP-AUTH-005":
    "The official kit advises that an agent without login methods requires no login; version 1 does not state this.",
};
