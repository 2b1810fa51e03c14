import { exitText } from "../../agent/agent-peer.js";
import {
  type AgentCheck,
  agentScenario,
  agentWatch,
  sessionScenario,
  type WatchReporting,
} from "../../agent/agent-scenario.js";
import type { DialogueEntry } from "../../dialogue.js";
import type { Watch } from "../../scenario.js";
import { shown } from "../../wire/values.js";

const encoder = new TextEncoder();

/** The checks of agents: transport. */
export const transportAgentChecks: readonly AgentCheck[] = [
  agentScenario("transport/fragments", ["TRANS-13", "TRANS-14"], {
    title: "The agent reads messages that are split over several reads, and several messages in one read",
    async run(context) {
      const peer = await context.start();
      const params = { protocolVersion: 1, clientInfo: { name: "acp-kit-conformance é😀", version: "1.0.0" } };
      const message = { jsonrpc: "2.0", id: "split", method: "initialize", params };
      const request = peer.expectResponse("split", "initialize", () => peer.log.message("client", message));
      const bytes = encoder.encode(`${JSON.stringify(message)}\n`);
      for (let at = 0; at < bytes.length; at += 7) {
        peer.process.write(bytes.slice(at, at + 7)); // cuts the emoji, too
        await new Promise((resolve) => setTimeout(resolve, 0));
      }
      await peer.responseTo(request, context.options.requestTimeoutMs, "TRANS-13");
      await peer.fence();
      const ids = Array.from({ length: 20 }, (_, index) => `many-${index}`);
      const all = ids.map((id) => ({ jsonrpc: "2.0", id, method: "_conformance/many", params: {} }));
      const many = ids.map((id, index) =>
        peer.expectResponse(id, "_conformance/many", () => peer.log.message("client", all[index])),
      );
      peer.process.write(encoder.encode(all.map((each) => `${JSON.stringify(each)}\n`).join("")));
      for (const each of many) await peer.responseTo(each, context.options.requestTimeoutMs, "TRANS-13");
    },
  }),
  agentScenario("transport/blank-lines", ["TRANS-16"], {
    title: "Blank lines and lines that end in CR LF are tolerated",
    async run(context) {
      const { peer } = await context.initialize(await context.start());
      await peer.fence();
      peer.sendText("\n\r\n", "blank lines");
      const message = { jsonrpc: "2.0", id: "crlf", method: "_conformance/crlf", params: {} };
      const request = peer.expectResponse("crlf", "_conformance/crlf", () => peer.log.message("client", message));
      peer.log.event("the line ends in CR LF");
      peer.process.write(encoder.encode(`${JSON.stringify(message)}\r\n`));
      await peer.responseTo(request, context.options.requestTimeoutMs, "TRANS-16");
    },
  }),
  agentScenario("transport/big-message", ["TRANS-15"], {
    title: "A message of eight megabytes gets a response, a result or an error",
    async run(context) {
      const { peer } = await context.initialize(await context.start());
      await peer.fence();
      const message = {
        jsonrpc: "2.0",
        id: "big",
        method: "_conformance/big",
        params: { text: "x".repeat(8_000_000) },
      };
      const request = peer.expectResponse("big", "_conformance/big", () => {
        peer.process.write(encoder.encode(`${JSON.stringify(message)}\n`));
        return peer.log.message("client", { ...message, params: { text: "eight million times the letter x" } });
      });
      await peer.responseTo(request, context.options.requestTimeoutMs, "TRANS-15");
    },
  }),
  agentScenario("transport/end-of-input", ["TRANS-12"], {
    title: "The agent ends when its input ends",
    async run(context) {
      const { peer } = await context.initialize(await context.start());
      peer.log.event("its standard input is closed");
      peer.process.endInput();
      const exit = await peer.ended(context.options.exitGraceMs);
      if (exit && exit.signal === null) return;
      context.fail("TRANS-12", {
        sent: "the end of standard input",
        received: exit
          ? exitText(exit)
          : `nothing: the process is still running after ${context.options.exitGraceMs / 1000} s`,
        explanation:
          "On stdio, the client closes the agent's standard input to end the connection; the agent then exits.",
      });
    },
  }),
  sessionScenario("transport/text-round-trip", ["TRANS-01", "TRANS-03"], {
    title: "A message whose text has line separators and characters beyond the BMP is still one line of UTF-8",
    needs: ["prompt: text"],
    async run(context, session) {
      await context.turn(session, `${context.text("text")}\n\r\n\u2028\u2029 é e\u0301 😀 \u{10FFFF}`);
      const odd = session.peer.log.entries.find((entry) => "raw" in entry && entry.from === "agent");
      if (!odd || !("raw" in odd)) return;
      context.fail(odd.because === "not UTF-8" ? "TRANS-01" : "TRANS-03", {
        sent: "a prompt with line breaks, line separators and an emoji",
        received: shown(odd.raw),
        explanation: "Each message is one line of UTF-8; line breaks inside of strings are escaped.",
        where: session.peer.at(odd.seq),
      });
    },
  }),
  lineWatch("watch/only-messages-on-stdout", ["TRANS-04"], {
    title: "The agent writes only messages to standard output",
    check({ seq, raw, because }, wrong) {
      if (because === "not JSON" && !isPart(raw)) wrong("TRANS-04", [seq], shown(raw));
    },
  }),
  lineWatch("watch/one-line-per-message", ["TRANS-03", "TRANS-16"], {
    title: "Each line is one complete message",
    check({ seq, raw, because }, wrong) {
      if (because === "a blank line") wrong("TRANS-16", [seq], because, "A blank line is not a JSON-RPC message.");
      if (because === "not JSON" && isPart(raw)) wrong("TRANS-03", [seq], shown(raw));
    },
  }),
  lineWatch("watch/utf-8", ["TRANS-01"], {
    title: "The agent writes UTF-8",
    check({ seq, raw, because }, wrong) {
      if (because === "not UTF-8") wrong("TRANS-01", [seq], shown(raw));
    },
  }),
];

/** Returns whether a line that is not JSON is part of a message. */
function isPart(line: string): boolean {
  return /^\s*[{}[\]"]/.test(line);
}

/** Creates a watch over the lines that are not JSON, or are invalid messages. */
function lineWatch(
  id: string,
  verifies: readonly string[],
  {
    title,
    check,
  }: {
    readonly title: string;
    check(line: Extract<DialogueEntry, { raw: string }>, wrong: WatchReporting["wrong"]): void;
  },
): Watch {
  return agentWatch(id, verifies, {
    title,
    check({ dialogue }, { countEntry, wrong }) {
      for (const entry of dialogue.entries) {
        if (!("from" in entry) || entry.from !== "agent") continue;
        if ("message" in entry) countEntry();
        else check(entry, wrong);
      }
    },
  });
}
