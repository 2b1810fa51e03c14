import type { Mutant } from "../wire/mutation.js";
import {
  alter,
  answer,
  call,
  duplicate,
  inject,
  injectBefore,
  notification,
  request,
  result,
  swallow,
} from "../wire/operators.js";

const prompt = call("session/prompt");
const permission = "permissions/answered";

/** The rules of JSON-RPC, of the transport, and of initialize. */
export const connectionMutants: readonly Mutant[] = [
  {
    rule: "RPC-01",
    does: "sends jsonrpc 1.0",
    shows: ["opening/stdio", "updates/every", "envelope/json-rpc-2"],
    mutation: inject(prompt, () => [{ ...notification("_x"), jsonrpc: "1.0" }]),
  },
  {
    rule: "RPC-02",
    does: "sends a message that is a request and a response",
    shows: ["updates/every", "envelope/json-rpc-2"],
    mutation: inject(prompt, () => [{ ...request("_x"), result: {} }]),
  },
  {
    rule: "RPC-03",
    does: "responds with a result and an error",
    shows: [permission, "envelope/result-or-error"],
    mutation: alter(result("session/request_permission"), (message) => (message.error = { code: 1, message: "Both" })),
  },
  {
    rule: "RPC-04",
    does: "responds twice",
    shows: [permission, "envelope/answers"],
    mutation: duplicate(result("session/request_permission")),
  },
  {
    rule: "RPC-04",
    does: "responds with the id as a string",
    shows: ["messages/ids-echoed", "envelope/answers"],
    mutation: alter(
      (message) => "id" in message && !("method" in message),
      (message) => (message.id = String(message.id)),
    ),
  },
  {
    rule: "RPC-04",
    does: "uses the id of an open request again",
    shows: ["updates/every", "envelope/id-unique"],
    mutation: inject(prompt, ({ id }) => [request("_x", {}, id)]),
  },
  {
    rule: "RPC-04",
    does: "never responds to a request with an unusual id",
    shows: ["messages/ids-echoed"],
    mutation: swallow(({ id, method }) => method !== undefined && id === ""),
  },
  {
    rule: "RPC-05",
    does: "responds to notifications",
    shows: ["messages/unknown-notification", "envelope/answers"],
    mutation: answer(
      (message) => "method" in message && !("id" in message),
      () => ({ id: 0, result: null }),
    ),
  },
  {
    rule: "RPC-06",
    does: "sends a request with a fraction as its id",
    shows: ["updates/every", "envelope/id-type"],
    mutation: inject(prompt, () => [request("_x", {}, 1.5)]),
  },
  {
    rule: "RPC-10",
    does: "sends params by position",
    shows: ["updates/every", "envelope/params"],
    mutation: inject(prompt, () => [{ jsonrpc: "2.0", method: "_x", params: [1] }]),
  },
  {
    rule: "RPC-13",
    does: "exits after a line that is not JSON",
    shows: ["messages/not-json"],
    mutation: () => ({ onText: (line, wire) => line.startsWith("Loading") && wire.die() }),
  },
  {
    rule: "RPC-14",
    does: "exits after JSON that is not a JSON-RPC message",
    shows: ["messages/no-request-object"],
    mutation: () => ({ onText: (line, wire) => line === "42" && wire.die() }),
  },
  {
    rule: "RPC-15",
    does: "responds to unknown methods with a wrong code",
    shows: ["messages/unknown-method"],
    mutation: alter(
      ({ error }) => error?.code === -32601,
      ({ error }) => (error.code = -32603),
    ),
  },
  {
    rule: "TRANS-01",
    does: "writes Latin-1 instead of UTF-8",
    shows: ["updates/every", "lines/utf-8"],
    mutation: inject(prompt, () => [Uint8Array.from(Buffer.from('{"jsonrpc":"2.0","method":"_é"}\n', "latin1"))]),
  },
  {
    rule: "TRANS-03",
    does: "writes a message in several lines",
    shows: ["updates/every", "lines/messages-only"],
    mutation: injectBefore(prompt, () => JSON.stringify(notification("_x"), undefined, 2).split("\n")),
  },
  {
    rule: "TRANS-05",
    does: "writes a banner to the agent's input",
    shows: ["updates/every", "lines/messages-only"],
    mutation: injectBefore(call("initialize"), () => ["Hello, agent."]),
  },
  {
    rule: "INIT-01",
    does: "sends authenticate before initialize",
    shows: ["opening/waits", "lifecycle/initialize-first"],
    mutation: inject(call("initialize"), () => [request("authenticate", { methodId: "x" })]),
  },
  {
    rule: "SESS-01",
    does: "opens a session before initialize",
    shows: ["opening/waits", "lifecycle/initialize-first"],
    mutation: inject(call("initialize"), () => [request("session/new", { cwd: "/", mcpServers: [] })]),
  },
  {
    rule: "INIT-02",
    does: "requests version 0",
    shows: ["updates/every", "lifecycle/protocol-version"],
    mutation: alter(call("initialize"), ({ params }) => (params.protocolVersion = 0)),
  },
  {
    rule: "INIT-11",
    does: "requests version 1 as a string",
    shows: ["updates/every", "schema/initialize", "lifecycle/protocol-version"],
    mutation: alter(call("initialize"), ({ params }) => (params.protocolVersion = "1")),
  },
  {
    rule: "INIT-03",
    does: "sends initialize without capabilities",
    shows: ["updates/every", "lifecycle/client-capabilities"],
    mutation: alter(call("initialize"), ({ params }) => delete params.clientCapabilities),
  },
  {
    rule: "INIT-10",
    does: "sends the login method of version 2",
    shows: ["updates/every", "envelope/method-names"],
    mutation: inject(prompt, () => [request("auth/login", { methodId: "x" })]),
  },
  {
    rule: "ERR-01",
    does: "sends an error without a message",
    shows: ["messages/unknown-method", "envelope/error-object"],
    mutation: alter(
      ({ error }) => error !== undefined,
      ({ error }) => delete error.message,
    ),
  },
  {
    rule: "ERR-03",
    does: "does not continue after an error with an unknown code",
    shows: ["messages/error-object-of-any-code"],
    mutation: swallow(({ error }) => error?.code === 1234),
  },
  {
    rule: "EXT-05",
    does: "does not respond to unknown extension requests",
    shows: ["messages/unknown-extension"],
    mutation: swallow(({ method }) => method?.startsWith("_acp-kit.invalid/") === true),
  },
  {
    rule: "EXT-03",
    does: "adds members that the schema does not define",
    shows: ["updates/every", "payload/no-custom-members"],
    mutation: alter(prompt, ({ params }) => (params.vendor = 1)),
  },
];
