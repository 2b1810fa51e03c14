import { Failure, Inconclusive, Skip } from "../../verdict.js";
import { member, objectsIn, shown, textOf } from "../../wire/values.js";
import type { AgentContext, OpenTurn, TestSession } from "../agent-context.js";
import type { Incoming, Reply } from "../agent-peer.js";
import { type AgentScenario, agentScenario } from "../agent-scenario.js";
import type { ClientManners } from "../client-side.js";
import type { PromptPurpose } from "../prompt-purposes.js";

interface Served {
  readonly session: TestSession;
  readonly turn: OpenTurn;
  readonly request: Incoming;
  readonly path: string;
}

/** The content of the file that a prompt names: some agents fail on a missing file. */
const before = "before\n";

/** Prompts for an action that makes the agent send a request to its client. Skips when it doesn't. */
async function served(
  context: AgentContext,
  purpose: PromptPurpose,
  method: string,
  manners: ClientManners = {},
  fileText: string = before,
): Promise<Served> {
  const session = await context.openSession(manners);
  const path = context.files.join(context.files.cwd, `${purpose}.txt`);
  await context.files.write(path, fileText);
  const turn = context.prompt(session, context.text(purpose, { path }));
  const request = await context.requestIn(session, turn, method);
  if (!request) context.skip(`the agent never sent ${method}: --prompt ${purpose}=…`);
  return { session, turn, request, path };
}

/** The turn has to end, however the client responded. */
async function endsAnyway(
  context: AgentContext,
  { session, turn, request }: Served,
  requirement: string,
  sent: string,
): Promise<void> {
  try {
    await session.peer.answerTo(turn.asked, context.options.turnMs, requirement);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    context.fail({
      requirement,
      sent,
      received: session.peer.exit ? "the end of the process" : "no end of the turn",
      explanation: "Whatever the client's response is, the agent continues or ends the turn; it doesn't hang.",
      where: session.peer.at(turn.asked.seq, request.seq),
    });
  }
}

const refusing =
  (method: string, error: object): NonNullable<ClientManners["first"]> =>
  (request) =>
    request.method === method ? ({ error } as Reply) : undefined;

/** Scenarios about requests of the agent: permissions, files, terminals, elicitations. */
export const clientServiceScenarios: readonly AgentScenario[] = [
  agentScenario({
    id: "permission/allowed",
    title: "After the permission the agent runs the tool and reports how it ended",
    verifies: ["TOOL-10", "TOOL-08"],
    needs: ["prompt: permission"],
    async run(context) {
      const { session, turn, request } = await served(context, "permission", "session/request_permission");
      const answer = await context.endOf(session, turn);
      const id = member(request.params, "toolCall", "toolCallId");
      const statuses = context
        .updates(session, turn.asked.seq)
        .filter(({ update }) => update.toolCallId === id && update.status !== undefined);
      const last = statuses.at(-1)?.update.status;
      if (last === "in_progress")
        context.skip("the tool may still be running after the turn: nothing shows that it ended");
      if (last !== "completed" && last !== "failed") {
        context.fail({
          requirement: "TOOL-10",
          sent: "the requested permission",
          received: last === undefined ? "nothing about the tool call" : `the last status ${shown(last)}`,
          explanation: "On completion the agent reports the final status of the tool call: completed or failed.",
          where: session.peer.at(request.seq, answer.seq),
        });
      }
      if (statuses.some(({ update }) => update.status === "in_progress")) return;
      context.note({
        requirement: "TOOL-08",
        sent: "the requested permission",
        received: `the statuses ${shown(statuses.map(({ update }) => update.status))}`,
        explanation: "When the tool begins to run, the agent should report that it is in_progress.",
        where: session.peer.at(request.seq, answer.seq),
      });
    },
  }),
  ...(["reject_once", "cancelled", "an option that wasn't offered"] as const).map((choice) =>
    agentScenario({
      id: `permission/${choice === "reject_once" ? "rejected" : choice === "cancelled" ? "cancelled" : "unknown-option"}`,
      title: `When the permission response is ${choice}, the agent doesn't run the tool, and ends its turn`,
      verifies: choice === "reject_once" ? ["PERM-07", "PROMPT-09"] : ["PERM-07"],
      needs: ["prompt: edit"],
      async run(context) {
        const unknown: ClientManners["permission"] = () => ({
          result: { outcome: { outcome: "selected", optionId: "conformance-not-offered" } },
        });
        const permission = choice === "reject_once" || choice === "cancelled" ? choice : unknown;
        const { session, turn, request, path } = await served(context, "edit", "session/request_permission", {
          permission,
        });
        const answer = await context.endOf(session, turn);
        if (choice === "reject_once" && member(answer.result, "stopReason") === "cancelled") {
          context.note({
            requirement: "PROMPT-09",
            sent: "reject_once, and no session/cancel",
            received: "stopReason cancelled",
            explanation: "cancelled means that the client cancelled the turn; a rejected tool is no cancellation.",
            where: session.peer.at(turn.asked.seq, request.seq, answer.seq),
          });
        }
        const wrote = (await context.files.read(path)) !== before;
        const run = context
          .updates(session, request.seq)
          .find(
            ({ update }) =>
              update.toolCallId === member(request.params, "toolCall", "toolCallId") && update.status === "completed",
          );
        if (!wrote) return;
        const id = member(request.params, "toolCall", "toolCallId");
        // Another tool, which needed no permission, may have written: then the rejected one was not run.
        const others = context
          .updates(session, request.seq)
          .filter(({ update }) => update.toolCallId !== undefined && update.toolCallId !== id);
        if (others.length > 0) {
          context.inconclusive("the file was changed after another tool call, so that it may have been the other tool");
        }
        const inferred = choice === "an option that wasn't offered";
        context.fail({
          requirement: "PERM-07",
          ...(inferred && { advice: true }),
          sent: `${choice}, as the response to the permission request`,
          received: `a change of the file ${path}, all the same`,
          explanation: "A tool runs only after an option of the kind allow was selected: otherwise nothing may change.",
          where: session.peer.at(request.seq, ...(run ? [run.seq] : []), answer.seq),
        });
      },
    }),
  ),
  agentScenario({
    id: "files/read",
    title: "The agent reads through the client, by absolute path, and continues with the content",
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
    title: "When a file can't be read, whatever the error, the turn still ends",
    verifies: ["ERR-03"],
    needs: ["prompt: read"],
    async run(context) {
      const first = refusing("fs/read_text_file", { code: 1234, message: "The disk is on fire" });
      const all = await served(context, "read", "fs/read_text_file", { first }, "never read\n");
      await endsAnyway(context, all, "ERR-03", "the error 1234, which the agent can't know, to fs/read_text_file");
    },
  }),
  agentScenario({
    id: "files/write",
    title: "The agent writes through the client, by absolute path, in its session",
    verifies: ["FS-03", "FS-11"],
    needs: ["prompt: write"],
    async run(context) {
      const { session, turn, request } = await served(context, "write", "fs/write_text_file");
      sessionAndPath(context, session, request);
      await context.endOf(session, turn);
    },
  }),
  agentScenario({
    id: "terminals/released",
    title: "Every terminal that the agent creates, it releases",
    verifies: ["TERM-13"],
    needs: ["prompt: terminal"],
    async run(context) {
      const all = await served(context, "terminal", "terminal/create");
      await context.endOf(all.session, all.turn);
      await all.session.peer.next(({ method }) => method === "terminal/release", {
        since: all.request.seq,
        timeoutMs: Math.min(context.options.answerMs, 2_000),
      });
      released(context, all, "a prompt to run a command");
    },
  }),
  agentScenario({
    id: "terminals/released-after-cancel",
    title: "A terminal is released, too, when the turn is cancelled while its command runs",
    verifies: ["TERM-13", "CANCEL-06", "CANCEL-07"],
    needs: ["prompt: longTerminal"],
    async run(context) {
      const all = await served(context, "longTerminal", "terminal/create", { endlessCommands: true });
      const { session, turn } = all;
      await session.peer.next(({ method }) => method === "terminal/wait_for_exit" || method === "terminal/output", {
        since: all.request.seq,
        timeoutMs: context.options.answerMs,
      });
      const { seq } = session.peer.notify("session/cancel", { sessionId: session.id });
      const answer = await context.endOf(session, turn);
      if (member(answer.result, "stopReason") !== "cancelled") {
        context.note({
          requirement: answer.error ? "CANCEL-07" : "CANCEL-06",
          sent: "session/cancel while a command was running in a terminal",
          received: answer.error ? `the error ${shown(answer.error)}` : shown(answer.result),
          explanation: "A cancelled turn ends with the stop reason cancelled, never with an error.",
          where: session.peer.at(turn.asked.seq, seq, answer.seq),
        });
      }
      await session.peer.next(({ method }) => method === "terminal/release", {
        since: all.request.seq,
        timeoutMs: context.options.quietMs * 4,
      });
      released(context, all, "session/cancel while a command was running in a terminal");
    },
  }),
  agentScenario({
    id: "terminals/refused",
    title: "When no terminal can be created, the turn still ends",
    verifies: ["ERR-03"],
    needs: ["prompt: terminal"],
    async run(context) {
      const first = refusing("terminal/create", { code: -32603, message: "No more terminals" });
      const all = await served(context, "terminal", "terminal/create", { first });
      await endsAnyway(context, all, "ERR-03", "an error to terminal/create");
    },
  }),
  ...(["form", "url"] as const).flatMap((mode) =>
    (["accept", "decline", "cancel", "an unknown action", "an error"] as const).map((how) =>
      agentScenario({
        id: `elicitation/${mode}-${how.split(" ").at(-1) === "action" ? "unknown-action" : how.split(" ").at(-1)}`,
        title: `When the user answers ${mode === "form" ? "a form" : "a request to open a page"} with ${how}, the turn goes on to its end`,
        verifies: how === "an unknown action" ? ["ELICIT-24"] : ["ELICIT-23"],
        needs: [`prompt: ${mode}`],
        async run(context) {
          const elicitation: ClientManners["elicitation"] =
            how === "an unknown action"
              ? () => ({ result: { action: "_conformance/later" } })
              : how === "an error"
                ? () => ({ error: { code: -32603, message: "No user here" } })
                : how;
          const all = await served(context, mode, "elicitation/create", { elicitation });
          await endsAnyway(
            context,
            all,
            how === "an unknown action" ? "ELICIT-24" : "ELICIT-23",
            `${how} as the answer to elicitation/create`,
          );
          if (how !== "accept") await notAccepted(context, all, mode, how);
        },
      }),
    ),
  ),
  agentScenario({
    id: "elicitation/while-cancelled",
    title: "A turn that is cancelled during an elicitation doesn't hang",
    verifies: ["ELICIT-46", "CANCEL-07"],
    needs: ["prompt: form"],
    async run(context) {
      const all = await served(context, "form", "elicitation/create", { elicitation: () => "hold" });
      const { session, turn, request } = all;
      session.peer.notify("session/cancel", { sessionId: session.id });
      session.peer.respond(request, { result: { action: "cancel" } });
      const answer = await session.peer.answerTo(turn.asked, context.options.turnMs, "ELICIT-46");
      if (!answer.error) return;
      context.fail({
        requirement: "CANCEL-07",
        sent: "session/cancel during an elicitation, and the action cancel",
        received: `the error ${shown(answer.error)}`,
        explanation: "A cancelled turn ends with the stop reason cancelled, never with an error.",
        where: session.peer.at(turn.asked.seq, answer.seq),
      });
    },
  }),
];

/** Whether the agent goes on as if the user had accepted. */
async function notAccepted(
  context: AgentContext,
  { session, turn, request }: Served,
  mode: "form" | "url",
  how: string,
): Promise<void> {
  const requirement = how === "an unknown action" ? "ELICIT-24" : "ELICIT-23";
  const sent = `${how} as the answer to elicitation/create`;
  const id = member(request.params, "elicitationId");
  const completed = session.peer.incoming.find(
    ({ method, params, seq }) =>
      method === "elicitation/complete" && seq > request.seq && member(params, "elicitationId") === id,
  );
  if (mode === "url" && completed) {
    context.fail({
      requirement,
      sent,
      received: `elicitation/complete ${shown(completed.params)}`,
      explanation: "The user did not agree to open the page, so that nothing can have been completed there.",
      where: session.peer.at(request.seq, completed.seq),
    });
  }
  // Text alone shows it only in comparison with the other responses: the agent's text differs when the user cancels.
  const said = saidAfter(context, session, request.seq);
  if (how === "cancel" || said === "") return;
  const accepted = await saidTo(context, mode, "accept");
  const cancelled = await saidTo(context, mode, "cancel");
  if (cancelled === undefined || said !== accepted || accepted === cancelled) return;
  context.note({
    requirement,
    advice: true,
    sent,
    received: `the same words as after accept: ${shown(said)}`,
    explanation: "After cancel the agent's text differs, so it seems to treat this response as accept.",
    where: session.peer.at(turn.asked.seq, request.seq),
  });
}

/** Returns the agent's text after another response; `undefined` where that exchange fails, which is a separate finding. */
async function saidTo(
  context: AgentContext,
  mode: "form" | "url",
  how: "accept" | "cancel",
): Promise<string | undefined> {
  try {
    const { session, turn, request } = await served(context, mode, "elicitation/create", { elicitation: how });
    await context.endOf(session, turn);
    return saidAfter(context, session, request.seq);
  } catch (error) {
    if (error instanceof Failure || error instanceof Skip || error instanceof Inconclusive) return undefined;
    throw error;
  }
}

function saidAfter(context: AgentContext, session: TestSession, seq: number): string {
  return context
    .updates(session, seq)
    .map(({ update }) => (update.sessionUpdate === "agent_message_chunk" ? textOf(member(update.content, "text")) : ""))
    .join("");
}

function sessionAndPath(context: AgentContext, session: TestSession, request: Incoming): void {
  const sent = "a prompt that needs a file";
  const received = `${request.method} ${shown(request.params)}`;
  const where = session.peer.at(request.seq);
  if (member(request.params, "sessionId") !== session.id) {
    const explanation = "The request names the session that it belongs to.";
    context.note({ requirement: "FS-11", sent, received, explanation, where });
  }
  const path = String(member(request.params, "path"));
  if (!/^(?:\/|[A-Za-z]:[\\/]|\\\\)/.test(path)) {
    context.note({
      requirement: "FS-03",
      sent,
      received,
      explanation: "The agent sends absolute paths: the client doesn't know what a relative one is relative to.",
      where,
    });
  }
}

function released(context: AgentContext, { session, request }: Served, sent: string): void {
  const { incoming, log } = session.peer;
  const created = incoming.filter(({ method }) => method === "terminal/create").map(({ message }) => message.id);
  const ids = log.entries.flatMap((entry) => {
    if (!("message" in entry) || entry.from !== "client" || !created.includes(member(entry.message, "id"))) return [];
    const id = member(entry.message, "result", "terminalId");
    return typeof id === "string" ? [id] : [];
  });
  const gone = objectsIn(incoming.filter(({ method }) => method === "terminal/release").map(({ params }) => params));
  const left = ids.filter((id) => !gone.some(({ terminalId }) => terminalId === id));
  if (left.length === 0) return;
  context.fail({
    requirement: "TERM-13",
    sent,
    received: `terminal/create, and no terminal/release of ${left.join(", ")}`,
    explanation: "Every terminal that was created is released, also after errors and in cancelled turns.",
    where: session.peer.at(request.seq),
  });
}
