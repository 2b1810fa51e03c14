import { asText, isAbsolutePath, member, shown } from "../../wire/values.js";
import type { AgentContext, TestSession } from "../agent-context.js";
import type { Incoming } from "../agent-peer.js";
import { type AgentScenario, agentScenario } from "../agent-scenario.js";
import { checkTurnEnds, refusing, served } from "../served-request.js";

/** Scenarios about files that the agent reads and writes through the client. */
export const fileScenarios: readonly AgentScenario[] = [
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
