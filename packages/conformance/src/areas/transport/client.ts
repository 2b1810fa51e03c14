import { type ClientCheck, clientScenario, clientWatch, turnScenario } from "../../client/checks.js";
import { survives } from "../../client/survives.js";
import { lineProblems } from "../../client/wire-event.js";
import { after } from "../../timer.js";
import { joined } from "../../wire/byte-lines.js";
import { shown } from "../../wire/values.js";

/** The checks of clients: transport. */
export const transportClientChecks: readonly ClientCheck[] = [
  clientScenario("opening/stdio", ["TRANS-02", "TRANS-08", "INIT-01"], {
    title: "The client starts its agent as a child process and initializes it over stdio",
    run: async (context) => {
      const run = await context.start();
      await run.until(() => run.agents.length > 0);
      if (run.agents.length === 0) {
        await run.waitForLate("the start of the agent", () => run.agents.length > 0);
        context.fail("TRANS-02", {
          sent: "The agent's command, in the arguments and in the environment of the client",
          received: `The client started no agent within ${context.driving.stepTimeoutMs} ms${run.silence()}.`,
          explanation:
            "A client starts its agent as a child process. The kit can test no other rule until the client starts the agent of the kit.",
        });
      }
      if (await run.request("initialize")) return;
      await run.waitForLate("`initialize`", () => run.requests.length > 0);
      context.fail("INIT-01", {
        sent: "No message; the agent waits for `initialize`.",
        received: `No \`initialize\` within ${context.driving.stepTimeoutMs} ms${run.silence()}.`,
      });
    },
  }),
  survives("messages/blank-lines", ["TRANS-16"], {
    title: "Empty lines, and carriage returns before the newline, are ignored",
    after: "empty lines and carriage returns",
    act: (turn) => {
      turn.agent.wire.sendText("\n\r\n", "empty lines");
      turn.agent.wire.sendText(
        '{"jsonrpc":"2.0","method":"_acp-kit.test/crlf","params":{}}\r\n',
        "a carriage return at the end",
      );
    },
  }),
  turnScenario("messages/byte-by-byte", ["TRANS-13", "TRANS-01"], {
    title: "A message may arrive byte by byte",
    run: async (context, turn) => {
      const { wire } = turn.agent;
      const id = "ä\u{1f9ea}é";
      const bytes = wire.announce({ id, method: "_acp-kit.test/cut", params: {} });
      for (const byte of bytes.subarray(0, -1)) {
        wire.writeBytes(Uint8Array.of(byte));
        await new Promise((resolve) => setTimeout(resolve)); // a pause, so that the system doesn't join the writes
      }
      // A busy system may join the writes in spite of the pauses. So the kit also sends messages in two parts, each cut
      // inside a character. Each write contains the second part of one message and the first part of the next. When the
      // client responds to the one message, it has read the whole write. Only then does the kit write the second part
      // of the next message.
      let isNext = turn.agent.awaitResponse(id);
      let rest = bytes.subarray(-1);
      for (const [index, cut] of continuationBytes(bytes).entries()) {
        const next = wire.announce({ id: `${id}${index}`, method: "_acp-kit.test/cut", params: {} });
        wire.writeBytes(joined([rest, next.subarray(0, cut)]));
        if (!(await isNext)) turn.agent.failNoResponse("A request in as many writes as it has bytes");
        isNext = turn.agent.awaitResponse(`${id}${index}`);
        rest = next.subarray(cut);
      }
      wire.writeBytes(rest);
      if (!(await isNext))
        turn.agent.failNoResponse("A request in two writes, the first of which ends inside a character");
      await context.survived(turn, "TRANS-13", "a message written byte by byte");
    },
  }),
  turnScenario("messages/many-in-one-write", ["TRANS-13"], {
    title: "The client processes all messages that arrive in one read",
    run: async (context, turn) => {
      const parts = Array.from({ length: 100 }, (_, index) =>
        turn.agent.wire.announce({ id: `m${index}`, method: "_acp-kit.test/one-of-100", params: {} }),
      );
      const responses = parts.map((_, index) => turn.agent.awaitResponse(`m${index}`));
      turn.agent.wire.writeBytes(joined(parts));
      const missing = (await Promise.all(responses)).filter((response) => response === undefined).length;
      if (missing > 0) {
        context.fail("TRANS-13", {
          sent: "100 requests in one write",
          received: `${missing} of them never got a response.`,
        });
      }
      await context.survived(turn, "TRANS-13", "100 requests in one write");
    },
  }),
  survives("messages/long", ["TRANS-15"], {
    title: "The client accepts a message of 8 MiB",
    after: "a message of 8 MiB",
    act: (turn) =>
      // The padding is in `_meta`, which no client has to display.
      turn.update({
        sessionUpdate: "agent_message_chunk",
        content: { type: "text", text: "Something long." },
        _meta: { "acp-kit.test/padding": "x".repeat(8_388_608) },
      }),
  }),
  survives("messages/newlines-in-strings", ["TRANS-03"], {
    title: "Line breaks in strings do not end a message",
    after: "text with newlines of all kinds",
    act: (turn) => turn.say("one\ntwo\r\nthree\u2028four\u2029five\u0085six"),
  }),
  clientScenario("messages/stderr-is-drained", ["TRANS-07"], {
    title: "The client reads the agent's stderr",
    run: async (context) => {
      if (!context.facts.prompts) context.skip(`The client never sends a prompt${context.facts.silence}.`);
      const run = await context.start({}, { stderrBytes: 1_048_576 });
      if (await run.nextTurn()) return;
      await run.waitForLateTurn();
      context.fail("TRANS-07", {
        sent: "1 MiB on stderr before anything else",
        received: `No prompt within ${context.driving.stepTimeoutMs} ms${run.silence()}.`,
        explanation: "If the client does not read stderr, the pipe fills up and the agent blocks.",
      });
    },
  }),
  turnScenario("endings/agent-leaves", ["TRANS-12"], {
    title: "The client exits after its agent exits during a turn",
    run: async (context, turn) => {
      turn.say("I exit.");
      turn.agent.wire.exit();
      await context.settles("TRANS-12", "The agent exited during the turn");
    },
  }),
  turnScenario("endings/agent-dies-in-a-line", ["TRANS-12"], {
    title: "The client exits after its agent crashes in the middle of a message",
    run: async (context, turn) => {
      turn.agent.wire.sendText('{"jsonrpc":"2.0","method":"session/upd', "a message that breaks off");
      turn.agent.wire.crash();
      await context.settles("TRANS-12", "Half a message, then a crash of the agent");
    },
  }),
  turnScenario("endings/client-leaves", ["TRANS-12"], {
    title: "A client that exits closes the agent's stdin",
    run: async (context, turn) => {
      turn.end();
      context.run.respondToOtherPrompts();
      const { agent } = turn;
      if (context.facts.exitCode === undefined) context.run.process.closeStdin();
      const { stepTimeoutMs } = context.driving;
      const closed = await new Promise<boolean>((resolve) => {
        const stopTimer = after(stepTimeoutMs, () => resolve(false));
        void agent.wire.closed.then(() => {
          stopTimer();
          resolve(true);
        });
      });
      if (closed) return;
      if (!context.run.status)
        context.skip("The client keeps running after its own stdin has ended, so the kit can't observe its exit.");
      context.fail("TRANS-12", {
        sent: "The end of a turn",
        received: "The client exited, and the agent's stdin is still open.",
        explanation: "An agent exits when its stdin ends, so a client closes it.",
      });
    },
  }),
  clientWatch("lines/utf-8", ["TRANS-01"], {
    title: "The client writes UTF-8",
    judge: (event) =>
      event.kind === "raw" && event.problem === lineProblems.notUtf8 ? { received: shown(event.text) } : "fine",
  }),
  clientWatch("lines/messages-only", ["TRANS-05", "TRANS-03"], {
    title: "Each line on the agent's stdin is one JSON value",
    judge: (event) =>
      event.kind === "raw" && event.problem === lineProblems.notJson
        ? {
            // Text that begins like JSON is part of a message; other text is not.
            requirement: /^\s*[{}[\]"]/.test(event.text) ? "TRANS-03" : "TRANS-05",
            received: `The line ${shown(event.text)}`,
          }
        : "fine",
  }),
  clientWatch("lines/newline-alone", ["TRANS-16"], {
    title: "Lines end with a newline alone, and no line is empty",
    judge: (event) =>
      event.kind === "raw" && (event.problem === lineProblems.empty || event.problem === lineProblems.carriageReturn)
        ? { received: shown(event.text), explanation: `Some agents fail on such a line: ${event.problem}.` }
        : "fine",
  }),
];

/** Returns the offsets at which a cut of UTF-8 text is inside a character. */
function continuationBytes(text: Uint8Array): number[] {
  return [...text.keys()].filter((index) => ((text[index] ?? 0) & 0xc0) === 0x80);
}
