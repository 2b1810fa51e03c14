import { changes, isCall, type Mutant, type WrongAgent } from "../mutations.js";

/** Agents that break the rules of this area. */
export const fileSystemWrongAgents: readonly (WrongAgent | Mutant)[] = [
  {
    fails: "files/read",
    also: ["watch/paths-for-the-client"],
    mutation: changes(
      isCall("fs/read_text_file"),
      ({ params }, agent) => [...agent.sessions.values()][0]?.turns === 1 && (params.path = `.${params.path}`),
    ),
    areas: ["files/read", "files/write"],
  },
  { fails: "files/read-fails", mutation: { receive: (message) => message.error?.code === 1234 } },
  {
    fails: "files/write",
    also: ["watch/schema/files"],
    mutation: changes(isCall("fs/write_text_file"), ({ params }) => (params.sessionId = 5)),
  },
  {
    fails: "watch/schema/files",
    areas: ["files/read-fails"],
    mutation: changes(isCall("fs/read_text_file"), ({ params }) => (params.line = "1")),
  },
  {
    fails: "watch/paths-for-the-client",
    areas: ["terminals/released"],
    mutation: changes(isCall("terminal/create"), ({ params }) => (params.cwd = "relative")),
  },
];
