import type { AgentContext } from "../../agent/agent-context.js";
import { type AgentCheck, agentScenario, agentWatch, sessionScenario } from "../../agent/agent-scenario.js";
import { cancelledTurns } from "../../agent/lasting-turn.js";
import { noModel } from "../../agent/obstacles.js";
import { result, schemaWatch } from "../../agent/schema-watch.js";
import { isStreamed, sessionOf, stopReasonOf, turnsIn, updatesIn } from "../../agent/session-history.js";
import { fileInCwd } from "../../agent/test-files.js";
import { isError, isSuccess } from "../../response-matchers.js";
import { type Json, member, shown, textOf } from "../../wire/values.js";

const onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

const noSound = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";

/** A block for each of the prompt capabilities. */
const optionalBlocks: Readonly<Record<string, Json>> = {
  image: { type: "image", mimeType: "image/png", data: onePixel },
  audio: { type: "audio", mimeType: "audio/wav", data: noSound },
  embeddedContext: {
    type: "resource",
    resource: { uri: "file:///conformance.txt", text: "conformance", mimeType: "text/plain" },
  },
};

/** The checks of agents: prompt turn. */
export const promptTurnAgentChecks: readonly AgentCheck[] = [
  sessionScenario("prompt/text", ["PROMPT-06", "PROMPT-07", "PROMPT-08", "INIT-18"], {
    title: "A prompt gets updates of its session and then one stop reason",
    needs: ["prompt: text"],
    async run(context, session) {
      const { turn, response } = await context.plainTurn(session);
      const stopReason = context.stopReason(session, turn, response);
      if (!["end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"].includes(stopReason)) {
        context.note("PROMPT-08", {
          sent: "session/prompt",
          received: `stopReason ${shown(stopReason)}`,
          where: session.peer.at(response.seq),
        });
      }
      if (context.updates(session, turn.prompt.seq).some(isStreamed)) return;
      if (stopReason !== "end_turn")
        context.skip(`the turn ended with ${stopReason} and without an update: --prompt text=…`);
      context.fail("PROMPT-06", {
        sent: `the prompt ${shown(context.text("text"))}`,
        received: "a response without any message, thought or tool call before it",
        where: session.peer.at(turn.prompt.seq, response.seq),
      });
    },
  }),
  sessionScenario("prompt/resource-link", ["PROMPT-04"], {
    title: "Text and resource links are always accepted",
    needs: ["prompt: text"],
    async run(context, session) {
      const path = await fileInCwd(context.files, "linked.txt", "linked\n");
      await context.turn(session, context.text("text")); // the control: the same prompt without a link
      // Clients also link to web pages, and to documents that exist only in the editor.
      for (const uri of [`file://${path}`, "https://example.com/linked.txt", "untitled:linked.txt"]) {
        const turn = context.prompt(session, [
          { type: "text", text: context.text("text") },
          { type: "resource_link", uri, name: "linked.txt" },
        ]);
        const response = await context.endOf(session, turn);
        if (!response.error) continue;
        context.fail("PROMPT-04", {
          sent: `a prompt of a text block and a resource_link block with the uri ${shown(uri)}`,
          received: response,
          explanation: "Every agent accepts text and resource_link blocks, with any URI; they need no capability.",
        });
      }
    },
  }),
  agentScenario("prompt/advertised-blocks", ["INIT-17"], {
    title: "The kinds of blocks that the agent advertises are accepted",
    needs: ["prompt: text", "agentCapabilities.promptCapabilities"],
    async run(context) {
      const session = await context.openSession();
      const offers = (name: string): boolean => member(session.capabilities, "promptCapabilities", name) === true;
      const blocks = Object.entries(optionalBlocks).flatMap(([name, block]) => (offers(name) ? [block] : []));
      if (blocks.length === 0) context.skip("the agent advertises no optional kind of block");
      const turn = context.prompt(session, [{ type: "text", text: context.text("text") }, ...blocks]);
      const response = await context.endOf(session, turn);
      if (response.error?.code !== -32602 && response.error?.code !== -32601) return;
      if (!context.facts.endsTurns) context.inconclusive(`${noModel}: ${shown(response.error)}`);
      context.fail("INIT-17", {
        sent: `a prompt with ${blocks.map(({ type }) => type).join(", ")}, all of them advertised`,
        received: response,
        explanation: "An agent accepts prompts with every kind of block that it advertises.",
      });
    },
  }),
  sessionScenario("prompt/unknown-block", ["PROMPT-16"], {
    title: "A block of a type that doesn't exist is refused, and the session stays usable",
    needs: ["prompt: text"],
    async run(context, session) {
      const turn = context.prompt(session, [{ type: "hologram", data: "x" }]);
      const response = await context.endOf(session, turn);
      await context.turn(session, context.text("text"));
      context.expect("PROMPT-16", response, isError(-32602), 'a prompt with a block of the type "hologram"');
    },
  }),
  sessionScenario("prompt/empty", ["PROMPT-17", "PROMPT-13"], {
    title: "A prompt without any block gets a response, and the session stays usable",
    needs: ["prompt: text"],
    async run(context, session) {
      const turn = context.prompt(session, []);
      await session.peer.responseTo(turn.prompt, context.options.turnTimeoutMs);
      const next = context.prompt(session, context.text("text"));
      await session.peer.responseTo(next.prompt, context.options.turnTimeoutMs, "PROMPT-13");
    },
  }),
  sessionScenario("prompt/two-turns", ["PROMPT-13"], {
    title: "A session has several turns, one after the other",
    needs: ["prompt: text"],
    async run(context, session) {
      await context.turn(session, context.text("text"));
      const turn = context.prompt(session, context.text("text"));
      const response = await session.peer.responseTo(turn.prompt, context.options.turnTimeoutMs, "PROMPT-13");
      context.expect("PROMPT-13", response, isSuccess, "a second prompt, after the response to the first");
    },
  }),
  sessionScenario("prompt/overlapping", ["PROMPT-14", "RPC-04"], {
    title: "A prompt and a second prompt during its turn both get a response",
    needs: ["prompt: long", "prompt: text"],
    async run(context, session) {
      const first = context.prompt(session, context.text("long"));
      await context.updateOf(session, first, () => true);
      const second = context.prompt(session, context.text("text"));
      await session.peer.quiet(context.options.quietMs);
      session.peer.notify("session/cancel", { sessionId: session.id });
      // The specification leaves open what a second prompt does, but each of the two requests needs a response.
      // The control: the same turns one after the other, each cancelled.
      const control = (): Promise<void> => cancelledTurns(context, ["long", "text"]);
      await context.responseOrControl(session, first.prompt, {}, control);
      // The agent may have queued the second prompt, and started its turn after the cancel.
      if (!second.prompt.response) session.peer.notify("session/cancel", { sessionId: session.id });
      await context.responseOrControl(session, second.prompt, {}, control);
    },
  }),
  agentScenario("prompt/two-sessions", ["SESS-04", "PROMPT-15"], {
    title: "Two sessions run turns at the same time, each with its own updates",
    needs: ["prompt: text"],
    async run(context) {
      const { peer } = await context.ready();
      const sessions = [await context.newSession(peer), await context.newSession(peer)];
      const turns = sessions.map((session) => ({ session, turn: context.prompt(session, context.text("text")) }));
      for (const { session, turn } of turns) {
        const response = await peer.responseTo(turn.prompt, context.options.turnTimeoutMs, "PROMPT-15");
        const silent = context.stopReason(session, turn, response) !== "end_turn";
        if (silent || context.updates(session, turn.prompt.seq).length > 0) continue;
        context.note("SESS-04", {
          sent: "the same prompt in two sessions at once",
          received: `no update of the session ${session.id}`,
          explanation: "Sessions are independent: each turn's updates carry the id of their own session.",
          where: peer.at(turn.prompt.seq, response.seq),
        });
      }
    },
  }),
  sessionScenario("prompt/failure", ["PROMPT-18", "ERR-01"], {
    title: "A turn that fails ends with an error response",
    needs: ["prompt: error"],
    async run(context: AgentContext, session) {
      const turn = context.prompt(session, context.text("error"));
      const response = await context.endOf(session, turn);
      if (!response.error) {
        const said = context.updates(session, turn.prompt.seq).length > 0;
        if (said || member(response.result, "stopReason") !== "end_turn") {
          context.skip("the turn didn't fail, or the agent reported the failure in another way: --prompt error=…");
        }
        context.fail("PROMPT-18", {
          sent: `the prompt ${shown(context.text("error"))}, which should make the turn fail`,
          received: `${shown(response.result)}, without an update before it`,
          where: session.peer.at(turn.prompt.seq, response.seq),
        });
      }
      if (!Number.isInteger(response.error.code) || textOf(response.error.message) === undefined) {
        context.fail("ERR-01", { sent: "a prompt that fails", received: response });
      }
    },
  }),
  schemaWatch(
    "stop-reason",
    ["PROMPT-08"],
    "The result of a prompt has one of the stop reasons",
    result("session/prompt"),
  ),
  agentWatch("watch/updates-before-the-answer", ["PROMPT-12"], {
    title: "All updates of a turn come before the response to its prompt",
    check(conversation, { countEntry, wrong }) {
      const updates = updatesIn(conversation).filter(isStreamed);
      for (const { prompt, response, until } of turnsIn(conversation)) {
        countEntry();
        if (stopReasonOf(response) === "cancelled") continue; // CANCEL-08
        for (const { seq, sessionId, tag, update } of updates) {
          const late = seq > response.seq && seq < until && sessionId === sessionOf(prompt);
          if (!late || tag === "tool_call_update") continue;
          wrong("PROMPT-12", [response.seq, seq], `${shown(update)} after the response`);
        }
      }
    },
  }),
];
