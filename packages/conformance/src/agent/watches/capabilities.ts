import type { Watch } from "../../scenario.js";
import type { Conversation, ConversationMessage } from "../../wire/conversation.js";
import { asText, isObject, member, objectsIn, shown } from "../../wire/values.js";
import { agentWatch } from "../agent-scenario.js";

interface Gate {
  readonly id: string;
  readonly path: readonly string[];
  /** The rules that the watch verifies. A finding cites the first one. */
  readonly verifies: readonly [string, ...string[]];
  readonly what: string;
  readonly uses: (one: ConversationMessage) => boolean;
}

const calls =
  (...methods: readonly string[]) =>
  ({ kind, method }: ConversationMessage): boolean =>
    kind === "request" && methods.includes(method ?? "");
const updates =
  (...tags: readonly string[]) =>
  ({ params }: ConversationMessage): boolean =>
    tags.includes(asText(member(params, "update", "sessionUpdate")));
const elicits =
  (mode: string) =>
  ({ method, params }: ConversationMessage): boolean =>
    method === "elicitation/create" && member(params, "mode") === mode;

const terminalMethods = ["create", "output", "wait_for_exit", "kill", "release"].map((name) => `terminal/${name}`);

const gates: readonly Gate[] = [
  {
    id: "read-files",
    path: ["fs", "readTextFile"],
    verifies: ["CAP-13", "FS-01", "FS-02"],
    what: "fs/read_text_file",
    uses: calls("fs/read_text_file"),
  },
  {
    id: "write-files",
    path: ["fs", "writeTextFile"],
    verifies: ["CAP-14", "FS-01", "FS-02"],
    what: "fs/write_text_file",
    uses: calls("fs/write_text_file"),
  },
  {
    id: "terminals",
    path: ["terminal"],
    verifies: ["CAP-15", "TERM-01"],
    what: "terminals",
    // Only requests count. Tool call content with a terminal that the agent never created is no request; TOOL-13 covers it.
    uses: calls(...terminalMethods),
  },
  {
    id: "forms",
    path: ["elicitation", "form"],
    verifies: ["CAP-16", "ELICIT-01"],
    what: "elicitations in form mode",
    uses: elicits("form"),
  },
  {
    id: "urls",
    path: ["elicitation", "url"],
    verifies: ["CAP-17", "ELICIT-01"],
    what: "elicitations in url mode",
    uses: elicits("url"),
  },
  {
    id: "boolean-options",
    path: ["session", "configOptions", "boolean"],
    verifies: ["CAP-18", "CFG-12"],
    what: "config options of the type boolean",
    uses: ({ message, params }) =>
      [member(message, "result", "configOptions"), member(params, "update", "configOptions")].some((options) =>
        objectsIn(options).some(({ type }) => type === "boolean"),
      ),
  },
  {
    id: "terminal-logins",
    path: ["auth", "terminal"],
    verifies: ["CAP-19", "AUTH-03"],
    what: "login methods of the type terminal",
    uses: ({ message }) => objectsIn(member(message, "result", "authMethods")).some(({ type }) => type === "terminal"),
  },
  {
    id: "notices",
    path: ["session", "notices"],
    verifies: ["CAP-20", "NOTICE-01"],
    what: "notices",
    uses: updates("notice"),
  },
  {
    id: "compaction",
    path: ["session", "compaction"],
    verifies: ["CAP-21", "COMPACT-01"],
    what: "updates about compaction",
    uses: updates("compaction_update", "compaction_summary_chunk"),
  },
];

/** Returns the capabilities that the client advertised on this connection; `undefined` before `initialize`. */
function advertised({ spoken }: Conversation): unknown {
  const initialize = spoken.find(({ from, method }) => from === "client" && method === "initialize");
  return initialize && (member(initialize.params, "clientCapabilities") ?? {});
}

/** Checks of every recorded dialogue: the use of features that the client doesn't advertise. */
export const capabilityWatches: readonly Watch[] = gates.map(({ id, path, verifies, what, uses }) =>
  agentWatch({
    id: `watch/capabilities/${id}`,
    title: `Without clientCapabilities.${path.join(".")} the agent sends no ${what}`,
    verifies,
    check(conversation, { countEntry, wrong }) {
      const capabilities = advertised(conversation);
      const value = member(capabilities, ...path);
      if (capabilities === undefined || value === true || isObject(value)) return;
      // The watch counts only conversations in which the agent could use the feature.
      if (id === "terminal-logins" || conversation.spoken.some(({ method }) => method === "session/prompt"))
        countEntry();
      for (const one of conversation.spoken) {
        if (one.from !== "agent" || !uses(one)) continue;
        const [rule] = verifies;
        wrong(
          rule,
          [one.seq],
          shown(one.message),
          "The agent uses no feature that the client did not advertise in initialize.",
          {
            sent: `initialize with clientCapabilities ${shown(capabilities)}`,
          },
        );
      }
    },
  }),
);
