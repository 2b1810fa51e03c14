import { exitText } from "../../agent/agent-peer.js";
import { type AgentCheck, agentScenario, agentWatch } from "../../agent/agent-scenario.js";
import { shown } from "../../wire/values.js";

const encoder = new TextEncoder();

/** The checks of agents: transport. */
export const transportAgentChecks: readonly AgentCheck[] = [
  agentScenario({
    id: "transport/fragments",
    title: "The agent reads messages that are split over several reads, and several messages in one read",
    verifies: ["TRANS-13", "TRANS-14"],
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
      await peer.responseTo(request, context.options.answerMs, "TRANS-13");
      await peer.fence();
      const ids = Array.from({ length: 20 }, (_, index) => `many-${index}`);
      const all = ids.map((id) => ({ jsonrpc: "2.0", id, method: "_conformance/many", params: {} }));
      const many = ids.map((id, index) =>
        peer.expectResponse(id, "_conformance/many", () => peer.log.message("client", all[index])),
      );
      peer.process.write(encoder.encode(all.map((each) => `${JSON.stringify(each)}\n`).join("")));
      for (const each of many) await peer.responseTo(each, context.options.answerMs, "TRANS-13");
    },
  }),
  agentScenario({
    id: "transport/blank-lines",
    title: "Blank lines and lines that end in CR LF are tolerated",
    verifies: ["TRANS-16"],
    async run(context) {
      const { peer } = await context.initialize(await context.start());
      await peer.fence();
      peer.sendText("\n\r\n", "blank lines");
      const message = { jsonrpc: "2.0", id: "crlf", method: "_conformance/crlf", params: {} };
      const request = peer.expectResponse("crlf", "_conformance/crlf", () => peer.log.message("client", message));
      peer.log.event("the line ends in CR LF");
      peer.process.write(encoder.encode(`${JSON.stringify(message)}\r\n`));
      await peer.responseTo(request, context.options.answerMs, "TRANS-16");
    },
  }),
  agentScenario({
    id: "transport/big-message",
    title: "A message of eight megabytes gets a response, a result or an error",
    verifies: ["TRANS-15"],
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
      await peer.responseTo(request, context.options.answerMs, "TRANS-15");
    },
  }),
  agentScenario({
    id: "transport/end-of-input",
    title: "The agent ends when its input ends",
    verifies: ["TRANS-12"],
    async run(context) {
      const { peer } = await context.initialize(await context.start());
      peer.log.event("its standard input is closed");
      peer.process.endInput();
      const exit = await peer.ended(context.options.exitMs);
      if (exit && exit.signal === null) return;
      context.fail("TRANS-12", {
        sent: "the end of standard input",
        received: exit
          ? exitText(exit)
          : `nothing: the process is still running after ${context.options.exitMs / 1000} s`,
        explanation:
          "On stdio, the client closes the agent's standard input to end the connection; the agent then exits.",
      });
    },
  }),
  agentScenario({
    id: "transport/text-round-trip",
    title: "A message whose text has line separators and characters beyond the BMP is still one line of UTF-8",
    verifies: ["TRANS-01", "TRANS-03"],
    needs: ["prompt: text"],
    async run(context) {
      const session = await context.openSession();
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
  agentWatch({
    id: "watch/only-messages-on-stdout",
    title: "The agent writes only messages to standard output",
    verifies: ["TRANS-04"],
    check({ dialogue }, { countEntry, wrong }) {
      for (const entry of dialogue.entries) {
        if ("message" in entry && entry.from === "agent") countEntry();
        if (!("raw" in entry) || entry.from !== "agent" || entry.because !== "not JSON") continue;
        if (/^\s*[{}[\]"]/.test(entry.raw)) continue; // part of a message, which the next watch reports
        wrong("TRANS-04", [entry.seq], shown(entry.raw));
      }
    },
  }),
  agentWatch({
    id: "watch/one-line-per-message",
    title: "Each line is one complete message",
    verifies: ["TRANS-03", "TRANS-16"],
    check({ dialogue }, { countEntry, wrong }) {
      for (const entry of dialogue.entries) {
        if ("message" in entry && entry.from === "agent") countEntry();
        if (!("raw" in entry) || entry.from !== "agent") continue;
        if (entry.because === "a blank line")
          wrong("TRANS-16", [entry.seq], "a blank line", "A blank line is not a JSON-RPC message.");
        if (entry.because !== "not JSON" || !/^\s*[{}[\]"]/.test(entry.raw)) continue;
        wrong("TRANS-03", [entry.seq], shown(entry.raw));
      }
    },
  }),
  agentWatch({
    id: "watch/utf-8",
    title: "The agent writes UTF-8",
    verifies: ["TRANS-01"],
    check({ dialogue }, { countEntry, wrong }) {
      for (const entry of dialogue.entries) {
        if ("message" in entry && entry.from === "agent") countEntry();
        if (!("raw" in entry) || entry.from !== "agent" || entry.because !== "not UTF-8") continue;
        wrong("TRANS-01", [entry.seq], shown(entry.raw));
      }
    },
  }),
];
