import type { AgentContext, TestSession } from "../../agent/agent-context.js";
import type { Incoming } from "../../agent/agent-messages.js";
import { type AgentCheck, agentScenario, messageWatch } from "../../agent/agent-scenario.js";
import { request, schemaWatch } from "../../agent/schema-watch.js";
import { checkTurnEnds, refusing, served } from "../../agent/served-request.js";
import type { ConversationMessage } from "../../wire/conversation.js";
import { isAbsolutePath, member, shown } from "../../wire/values.js";

/** The checks of agents: file system. */
export const fileSystemAgentChecks: readonly AgentCheck[] = [
  agentScenario("files/read", ["FS-03", "FS-11"], {
    title: "The agent reads files through the client, by absolute path",
    needs: ["prompt: read"],
    async run(context) {
      const fileText = "conformance\nsecond\n";
      const { session, turn, request } = await served(context, "read", "fs/read_text_file", {}, fileText);
      sessionAndPath(context, session, request);
      await context.endOf(session, turn);
    },
  }),
  agentScenario("files/read-fails", ["ERR-03"], {
    title: "The turn ends even if a read fails with an unknown error",
    basis: "files/read",
    needs: ["prompt: read"],
    async run(context) {
      const first = refusing("fs/read_text_file", { code: 1234, message: "The disk is on fire" });
      const all = await served(context, "read", "fs/read_text_file", { first }, "never read\n");
      const sent = "the unknown error 1234 as the response to fs/read_text_file";
      await checkTurnEnds(context, all, { requirement: "ERR-03", sent });
    },
  }),
  agentScenario("files/write", ["FS-03", "FS-11"], {
    title: "The agent writes files through the client, by absolute path",
    needs: ["prompt: write"],
    async run(context) {
      const { session, turn, request } = await served(context, "write", "fs/write_text_file");
      sessionAndPath(context, session, request);
      await context.endOf(session, turn);
    },
  }),
  schemaWatch("files", ["FS-11"], "Requests for files match the schema", request("fs/")),
  messageWatch("watch/paths-for-the-client", ["FS-03", "TERM-05"], {
    title: "Paths in requests to the client are absolute",
    isAbout: (message) => (pathIn(message) ?? undefined) !== undefined,
    check(message, wrong) {
      const { method, seq } = message;
      const path = pathIn(message);
      if (isAbsolutePath(path)) return;
      const rule = method === "terminal/create" ? "TERM-05" : "FS-03";
      wrong(rule, [seq], `${method} with ${shown(path)}`, "The path, or the cwd of a terminal, is absolute.");
    },
  }),
];

/** Returns the path in a request for a file, or the directory in a request for a terminal. */
function pathIn({ kind, method, params }: ConversationMessage): unknown {
  if (kind !== "request") return undefined;
  if (method === "terminal/create") return member(params, "cwd");
  return method?.startsWith("fs/") ? member(params, "path") : undefined;
}

function sessionAndPath(context: AgentContext, session: TestSession, request: Incoming): void {
  const sent = "a prompt that needs a file";
  const received = `${request.method} ${shown(request.params)}`;
  const where = session.peer.at(request.seq);
  if (member(request.params, "sessionId") !== session.id) {
    const explanation = "The request names the session that it belongs to.";
    context.note("FS-11", { sent, received, explanation, where });
  }
  if (!isAbsolutePath(member(request.params, "path"))) {
    const explanation = "The agent sends absolute paths: the client doesn't know the base of a relative path.";
    context.note("FS-03", { sent, received, explanation, where });
  }
}
