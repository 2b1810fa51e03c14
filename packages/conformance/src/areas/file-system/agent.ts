import type { AgentContext, TestSession } from "../../agent/agent-context.js";
import type { Incoming } from "../../agent/agent-messages.js";
import { type AgentCheck, agentScenario, agentWatch } from "../../agent/agent-scenario.js";
import { request, schemaWatch } from "../../agent/schema-watch.js";
import { checkTurnEnds, refusing, served } from "../../agent/served-request.js";
import { asText, isAbsolutePath, member, shown } from "../../wire/values.js";

/** The checks of agents: file system. */
export const fileSystemAgentChecks: readonly AgentCheck[] = [
  agentScenario({
    id: "files/read",
    title: "The agent reads files through the client, by absolute path",
    verifies: ["FS-03", "FS-11"],
    needs: ["prompt: read"],
    async run(context) {
      const { session, turn, request } = await served(
        context,
        "read",
        "fs/read_text_file",
        {},
        "conformance\nsecond\n",
      );
      sessionAndPath(context, session, request);
      await context.endOf(session, turn);
    },
  }),
  agentScenario({
    id: "files/read-fails",
    title: "The turn ends even if a read fails with an unknown error",
    verifies: ["ERR-03"],
    basis: "files/read",
    needs: ["prompt: read"],
    async run(context) {
      const first = refusing("fs/read_text_file", { code: 1234, message: "The disk is on fire" });
      const all = await served(context, "read", "fs/read_text_file", { first }, "never read\n");
      const sent = "the unknown error 1234 as the response to fs/read_text_file";
      await checkTurnEnds(context, all, { requirement: "ERR-03", sent });
    },
  }),
  agentScenario({
    id: "files/write",
    title: "The agent writes files through the client, by absolute path",
    verifies: ["FS-03", "FS-11"],
    needs: ["prompt: write"],
    async run(context) {
      const { session, turn, request } = await served(context, "write", "fs/write_text_file");
      sessionAndPath(context, session, request);
      await context.endOf(session, turn);
    },
  }),
  schemaWatch("files", "Requests for files match the schema", ["FS-11"], request("fs/")),
  agentWatch({
    id: "watch/paths-for-the-client",
    title: "Paths in requests to the client are absolute",
    verifies: ["FS-03", "TERM-05"],
    check({ spoken }, { countEntry, wrong }) {
      for (const { from, kind, method, params, seq } of spoken) {
        if (from !== "agent" || kind !== "request") continue;
        const isFile = method?.startsWith("fs/") === true;
        const path = isFile ? member(params, "path") : method === "terminal/create" ? member(params, "cwd") : undefined;
        if (path === undefined || path === null) continue;
        countEntry();
        if (isAbsolutePath(path)) continue;
        wrong(
          isFile ? "FS-03" : "TERM-05",
          [seq],
          `${method} with ${shown(path)}`,
          "The path, or the cwd of a terminal, is absolute.",
        );
      }
    },
  }),
];

function sessionAndPath(context: AgentContext, session: TestSession, request: Incoming): void {
  const sent = "a prompt that needs a file";
  const received = `${request.method} ${shown(request.params)}`;
  const where = session.peer.at(request.seq);
  if (member(request.params, "sessionId") !== session.id) {
    const explanation = "The request names the session that it belongs to.";
    context.note("FS-11", { sent, received, explanation, where });
  }
  const path = asText(member(request.params, "path"));
  if (!isAbsolutePath(path)) {
    context.note("FS-03", {
      sent,
      received,
      explanation: "The agent sends absolute paths: the client doesn't know the base of a relative path.",
      where,
    });
  }
}
