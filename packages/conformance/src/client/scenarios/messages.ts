import type { Scenario } from "../../scenario.js";
import { clientScenario } from "../checks.js";
import type { ClientScenarioContext } from "../client-context.js";
import { clientHas } from "../client-facts.js";
import { type JsonObject, show } from "../json.js";
import type { Turn } from "../turn.js";

/** Ids of requests that an agent may use. */
const ids: readonly unknown[] = [7, "7", "", 0, -1, "9007199254740993", "id with ü\u2028\u{1f9ea}"];

/** Methods by the capability that permits them. */
const gated: readonly (readonly [path: string, method: string, params: JsonObject])[] = [
  ["fs.readTextFile", "fs/read_text_file", { path: "/a" }],
  ["fs.writeTextFile", "fs/write_text_file", { path: "/nowhere/a", content: "" }],
  ["terminal", "terminal/create", { command: "true" }],
  ["terminal", "terminal/output", { terminalId: "t" }],
  ["terminal", "terminal/wait_for_exit", { terminalId: "t" }],
  ["terminal", "terminal/kill", { terminalId: "t" }],
  ["terminal", "terminal/release", { terminalId: "t" }],
];

const codeOf = (answer: { error?: JsonObject | undefined }): unknown => answer.error?.code;

/** Creates a scenario with unusual input in a turn, after which the client continues as after a plain turn. */
function survives(
  id: string,
  title: string,
  verifies: readonly string[],
  after: string,
  act: (turn: Turn) => void | Promise<void>,
): Scenario<ClientScenarioContext> {
  return clientScenario({
    id,
    title,
    verifies,
    run: async (context) => {
      const turn = await context.turn();
      await act(turn);
      await context.survived(turn, verifies[0] ?? "", after);
    },
  });
}

/** Creates a scenario with a request that gets a certain error code. */
function refuses(
  id: string,
  title: string,
  verifies: readonly string[],
  method: string,
  params: JsonObject,
  code: number,
  needs?: (context: ClientScenarioContext) => void,
): Scenario<ClientScenarioContext> {
  return clientScenario({
    id,
    title,
    verifies,
    run: async (context) => {
      needs?.(context);
      const turn = await context.turn();
      const answer = await turn.ask(method, params);
      if (codeOf(answer) === code) return;
      context.fail({
        requirement: verifies[0] ?? "",
        sent: `\`${method}\` with ${show(params)}`,
        received: show(answer),
        explanation: `The answer is an error with the code ${code}.`,
      });
    },
  });
}

function unlessAdvertised(path: string): (context: ClientScenarioContext) => void {
  return (context) => {
    if (clientHas(context.facts, path)) context.skip(`The client advertises \`clientCapabilities.${path}\`.`);
  };
}

/** Scenarios about JSON-RPC: ids, unknown methods, invalid messages, framing. */
export const messageScenarios: readonly Scenario<ClientScenarioContext>[] = [
  clientScenario({
    id: "messages/ids-echoed",
    title: "A response has the id of its request, in value and in type",
    verifies: ["RPC-04"],
    run: async (context) => {
      const turn = await context.turn();
      for (const id of ids) {
        if (await turn.agent.request("_acp-kit.test/echo", {}, id)) continue;
        context.fail({
          requirement: "RPC-04",
          sent: `A request with the id ${show(id)}`,
          received: "No response with this id.",
          explanation: 'A response repeats the id unchanged: `7` and `"7"` are two.',
        });
      }
    },
  }),
  clientScenario({
    id: "messages/ids-of-each-side",
    title: "A request of the agent may have the id of an open request of the client",
    verifies: ["RPC-08"],
    run: async (context) => {
      const turn = await context.turn();
      const answer = await turn.agent.request("_acp-kit.test/echo", {}, turn.call.id);
      if (!answer) turn.agent.noAnswer(`a request with the id ${show(turn.call.id)}, which the open prompt has too`);
      await context.survived(turn, "RPC-08", "a request with the id of the open prompt");
    },
  }),
  clientScenario({
    id: "messages/many-requests",
    title: "Requests that are open at once all get a response",
    verifies: ["RPC-09"],
    run: async (context) => {
      const turn = await context.turn();
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => turn.agent.request("_acp-kit.test/one-of-many", {})),
      );
      const missing = answers.filter((answer) => answer === undefined).length;
      if (missing === 0) return;
      context.fail({
        requirement: "RPC-09",
        sent: "20 requests at once",
        received: `${missing} of them never got a response.`,
        explanation: "A peer continues to read and respond while requests are open.",
      });
    },
  }),
  refuses("messages/unknown-method", "An unknown method is refused with -32601", ["RPC-15"], "no/such", {}, -32601),
  refuses(
    "messages/method-of-the-other-side",
    "A method of agents is refused with -32601",
    ["RPC-15"],
    "session/new",
    { cwd: "/", mcpServers: [] },
    -32601,
  ),
  refuses(
    "messages/unknown-extension",
    "An unknown extension method is refused with -32601",
    ["EXT-05"],
    "_acp-kit.test/unknown",
    {},
    -32601,
  ),
  clientScenario({
    id: "messages/advertised",
    title: "Every method that the client advertises exists",
    verifies: ["INIT-16"],
    run: async (context) => {
      const open = gated.filter(([path]) => clientHas(context.facts, path));
      if (open.length === 0) context.skip("The client advertises nothing that could be called.");
      const turn = await context.turn();
      for (const [path, method] of open) {
        const answer = await turn.ask(method, {});
        if (codeOf(answer) !== -32601) continue;
        context.note({
          requirement: "INIT-16",
          sent: `\`${method}\`, which \`${path}\` opens`,
          received: show(answer),
          explanation: "The client advertises it, so the method is there, whatever it says of these empty params.",
        });
      }
    },
  }),
  clientScenario({
    id: "messages/not-advertised",
    title: "A method whose capability the client doesn't advertise is refused with -32601",
    verifies: ["CAP-22"],
    run: async (context) => {
      const closed = gated.filter(([path]) => !clientHas(context.facts, path));
      if (closed.length === 0) context.skip("The client advertises all of them.");
      const turn = await context.turn();
      for (const [path, method, params] of closed) {
        const answer = await turn.ask(method, params);
        if (codeOf(answer) === -32601) continue;
        context.note({
          requirement: "CAP-22",
          sent: `\`${method}\`, which needs \`${path}\``,
          received: show(answer),
          explanation: "A method that the client did not advertise is unknown to the agent: it gets the error -32601.",
        });
      }
    },
  }),
  refuses(
    "messages/elicitation-not-advertised",
    "An elicitation, where none is advertised, is refused",
    ["CAP-22"],
    "elicitation/create",
    { mode: "form", message: "?", requestedSchema: { type: "object", properties: {} } },
    -32601,
    (context) => {
      unlessAdvertised("elicitation.form")(context);
      unlessAdvertised("elicitation.url")(context);
    },
  ),
  survives(
    "messages/unknown-notification",
    "Unknown notifications are ignored and get no response",
    ["RPC-16", "EXT-06", "CANCEL-17", "RPC-05"],
    "unknown notifications",
    (turn) => {
      turn.agent.notify("no/such", {});
      turn.agent.notify("_acp-kit.test/unknown", { any: "thing" });
      turn.agent.notify("$/unknown", {});
    },
  ),
  survives(
    "messages/malformed-notification",
    "A malformed notification gets no response",
    ["RPC-05"],
    "malformed notifications",
    (turn) => {
      turn.agent.notify("session/update", {});
      turn.agent.notify("session/update", { sessionId: 5, update: "none" });
      turn.agent.wire.send({ method: "session/update" });
    },
  ),
  survives(
    "messages/unknown-response",
    "A response without a request is dropped",
    ["RPC-17"],
    "responses to requests that were never sent",
    (turn) => {
      turn.agent.wire.send({ id: "ghost", result: {} });
      turn.agent.wire.send({ id: 987_654, error: { code: -32603, message: "What?" } });
      turn.agent.wire.send({ id: null, error: { code: -32700, message: "Parse error" } });
    },
  ),
  survives(
    "messages/cancel-of-nothing",
    "A cancellation of a request that is unknown, or already has its response, is ignored",
    ["CANCEL-20", "CANCEL-17"],
    "`$/cancel_request` for nothing",
    async (turn) => {
      turn.agent.notify("$/cancel_request", { requestId: 999_999 });
      turn.agent.notify("$/cancel_request", { requestId: "no such" });
      await turn.agent.request("_acp-kit.test/done", {}, "done");
      turn.agent.notify("$/cancel_request", { requestId: "done" });
    },
  ),
  survives(
    "messages/not-json",
    "A line that is not JSON is ignored, or gets the error -32700; the connection stays open",
    ["RPC-13"],
    "a line that is not JSON",
    (turn) => {
      turn.agent.wire.sendText("Loading the model…\n", "a banner, as some agents print");
      turn.agent.wire.sendText('{"jsonrpc":"2.0","id":1,\n', "half a message");
    },
  ),
  survives(
    "messages/no-request-object",
    "JSON that is not a JSON-RPC message is ignored, or gets the error -32600; the connection stays open",
    ["RPC-14"],
    "JSON that is not a JSON-RPC message",
    (turn) => {
      for (const line of [
        "42",
        '"text"',
        "{}",
        "null",
        '{"jsonrpc":"1.0","method":"session/update"}',
        '{"jsonrpc":"2.0","id":{},"method":"_x"}',
      ]) {
        turn.agent.wire.sendText(`${line}\n`, "JSON that is not a JSON-RPC message");
      }
    },
  ),
  survives("messages/batch", "A batch doesn't end the connection", ["RPC-12"], "a batch", (turn) => {
    turn.agent.wire.sendText('[{"jsonrpc":"2.0","method":"_acp-kit.test/in-a-batch","params":{}}]\n', "a batch");
  }),
  survives(
    "messages/blank-lines",
    "Empty lines, and carriage returns before the newline, are ignored",
    ["TRANS-16"],
    "empty lines and carriage returns",
    (turn) => {
      turn.agent.wire.sendText("\n\r\n", "empty lines");
      turn.agent.wire.sendText(
        '{"jsonrpc":"2.0","method":"_acp-kit.test/crlf","params":{}}\r\n',
        "a carriage return at the end",
      );
    },
  ),
  clientScenario({
    id: "messages/byte-by-byte",
    title: "A message may arrive byte by byte",
    verifies: ["TRANS-13", "TRANS-01"],
    run: async (context) => {
      const turn = await context.turn();
      const id = "ä\u{1f9ea}é";
      const bytes = turn.agent.wire.announce({ id, method: "_acp-kit.test/cut", params: {} });
      for (const byte of bytes.subarray(0, -1)) {
        turn.agent.wire.writeBytes(Uint8Array.of(byte));
        await new Promise((resolve) => setTimeout(resolve)); // so that the system has a reason not to join them
      }
      const waiting = turn.agent.awaitAnswer(id);
      turn.agent.wire.writeBytes(bytes.subarray(-1));
      if (!(await waiting)) turn.agent.noAnswer("A request in as many writes as it has bytes");
      await context.survived(turn, "TRANS-13", "a message written byte by byte");
    },
  }),
  clientScenario({
    id: "messages/many-in-one-write",
    title: "Messages that arrive in one read are all taken",
    verifies: ["TRANS-13"],
    run: async (context) => {
      const turn = await context.turn();
      const parts = Array.from({ length: 100 }, (_, index) =>
        turn.agent.wire.announce({ id: `m${index}`, method: "_acp-kit.test/one-of-100", params: {} }),
      );
      const answers = parts.map((_, index) => turn.agent.awaitAnswer(`m${index}`));
      turn.agent.wire.writeBytes(joined(parts));
      const missing = (await Promise.all(answers)).filter((answer) => answer === undefined).length;
      if (missing > 0) {
        context.fail({
          requirement: "TRANS-13",
          sent: "100 requests in one write",
          received: `${missing} of them never got a response.`,
          explanation: "Every message in one read is processed: how many arrive together has no meaning.",
        });
      }
      await context.survived(turn, "TRANS-13", "100 requests in one write");
    },
  }),
  survives("messages/long", "A long message is taken", ["TRANS-15"], "a message of 8 MiB", (turn) =>
    // In `_meta`, which no client has to show: this is about reading it.
    turn.update({
      sessionUpdate: "agent_message_chunk",
      content: { type: "text", text: "Something long." },
      _meta: { "acp-kit.test/padding": "x".repeat(8_388_608) },
    }),
  ),
  clientScenario({
    id: "messages/positional-params",
    title: "Positional params are refused",
    verifies: ["WIRE-04", "RPC-10"],
    run: async (context) => {
      const turn = await context.turn();
      const answer = await turn.agent.request("session/request_permission", [turn.sessionId, {}, []]);
      if (!answer) turn.agent.noAnswer("`session/request_permission` with positional params");
      if (answer?.error) return;
      context.fail({
        requirement: "WIRE-04",
        sent: "`session/request_permission` with positional params",
        received: show(answer),
        explanation: "No method takes positional params: the request gets -32602 or -32600.",
      });
    },
  }),
  survives(
    "messages/newlines-in-strings",
    "Newlines inside strings are not the end of a message",
    ["TRANS-03"],
    "text with newlines of all kinds",
    (turn) => turn.say("one\ntwo\r\nthree\u2028four\u2029five\u0085six"),
  ),
  clientScenario({
    id: "messages/stderr-is-drained",
    title: "An agent that writes much to stderr is not blocked",
    verifies: ["TRANS-07"],
    run: async (context) => {
      if (!context.facts.prompts) context.skip(`The client never sends a prompt${context.facts.silence}.`);
      const run = await context.start({}, { stderrBytes: 1_048_576 });
      if (await run.nextTurn()) return;
      context.fail({
        requirement: "TRANS-07",
        sent: "1 MiB on stderr before anything else",
        received: `No prompt within ${context.driving.stepMs} ms${run.silence()}.`,
        explanation: "A pipe without a reader fills up, and then the agent stands still.",
      });
    },
  }),
  clientScenario({
    id: "messages/error-object-of-any-code",
    title: "An error of an unknown code ends the turn, as any error does",
    verifies: ["ERR-03", "ERR-09"],
    run: async (context) => {
      const turn = await context.turn();
      turn.agent.refuse(turn.call, 1234, "Something of our own", [{ any: "data" }]);
      turn.agent.turns.delete(turn);
      await context.settles("ERR-03", "the error code 1234 for the prompt");
    },
  }),
  clientScenario({
    id: "messages/errors-keep-the-connection",
    title: "Requests that fail don't end the connection",
    verifies: ["ERR-08"],
    run: async (context) => {
      const turn = await context.turn();
      await turn.ask("fs/read_text_file", { path: 5 });
      await turn.ask("session/request_permission", { options: 5 });
      await context.survived(turn, "ERR-08", "requests that had to fail");
    },
  }),
];

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.length;
  }
  return whole;
}
