import type { Mutant } from "../wire/mutation.js";
import {
  alter,
  anError,
  answer,
  call,
  duplicate,
  failed,
  inject,
  injectBefore,
  mislead,
  notification,
  replace,
  request,
  result,
  swallow,
  update,
} from "../wire/operators.js";

const chunk = update("agent_message_chunk");
const initialized = result("initialize");
const turn = ["prompt/text"];

/** The rules of JSON-RPC, of the transport, and of initialize. */
export const connectionMutants: readonly Mutant[] = [
  {
    rule: "RPC-01",
    does: "sends jsonrpc 1.0",
    shows: [...turn, "watch/json-rpc-2.0"],
    mutation: alter(chunk, (message) => (message.jsonrpc = "1.0")),
  },
  {
    rule: "RPC-02",
    does: "sends a message that is a request and a response",
    shows: [...turn, "watch/kinds-of-messages"],
    mutation: inject(chunk, () => [{ ...request("_x"), result: {} }]),
  },
  {
    rule: "RPC-03",
    does: "responds with a result and an error",
    shows: [...turn, "watch/kinds-of-messages"],
    mutation: alter(result("session/prompt"), (message) => (message.error = { code: 1, message: "Both" })),
  },
  {
    rule: "RPC-03",
    does: "responds with neither a result nor an error",
    shows: [...turn, "watch/kinds-of-messages"],
    mutation: inject(result("session/prompt"), () => [{ jsonrpc: "2.0", id: 77 }]),
  },
  {
    rule: "RPC-04",
    does: "responds twice",
    shows: [...turn, "watch/answers"],
    mutation: duplicate(result("session/prompt")),
  },
  {
    rule: "RPC-04",
    does: "responds with the id as a string",
    shows: ["initialize", "json-rpc/ids"],
    mutation: alter(
      (message) => "id" in message && !("method" in message),
      (message) => (message.id = String(message.id)),
    ),
  },
  {
    rule: "RPC-04",
    does: "responds with the id as a number",
    shows: ["json-rpc/ids"],
    mutation: alter(
      (message) => message.id === "7",
      (message) => (message.id = 7),
    ),
  },
  {
    rule: "RPC-04",
    does: "never responds to a prompt that overlaps another",
    shows: ["prompt/overlapping"],
    mutation: swallow((message, wire) => {
      const prompts = [...wire.openFromKit].filter(({ method }) => method === "session/prompt");
      return message.method === "session/prompt" && prompts.length > 1;
    }),
  },
  {
    rule: "RPC-04",
    does: "never responds to a prompt once a second session is open",
    shows: ["prompt/two-sessions"],
    mutation: () => {
      let sessions = 0;
      return {
        fromKit(message) {
          if (message.method === "session/new") sessions++;
          return message.method === "session/prompt" && sessions > 1 ? [] : undefined;
        },
      };
    },
  },
  {
    rule: "RPC-05",
    does: "responds to notifications",
    shows: ["json-rpc/notifications"],
    mutation: answer((message) => "method" in message && !("id" in message), failed),
  },
  {
    rule: "RPC-06",
    does: "sends a request with a fraction as its id",
    shows: [...turn, "watch/ids"],
    mutation: inject(chunk, () => [request("_x", {}, 1.5)]),
  },
  {
    rule: "RPC-10",
    does: "reads params by position",
    shows: ["json-rpc/positional-params"],
    mutation: mislead(
      ({ params }) => Array.isArray(params),
      (message) => (message.params = { cwd: message.params[0], mcpServers: message.params[1] }),
    ),
  },
  {
    rule: "RPC-10",
    does: "sends params by position",
    shows: [...turn, "watch/params"],
    mutation: inject(chunk, () => [{ jsonrpc: "2.0", method: "elicitation/complete", params: [1] }]),
  },
  {
    rule: "RPC-13",
    does: "responds to a line that is not JSON with a wrong code",
    shows: ["json-rpc/not-json"],
    mutation: alter(
      ({ error }) => error?.code === -32700,
      ({ error }) => (error.code = -32603),
    ),
  },
  {
    rule: "RPC-14",
    does: "does not respond to JSON that is not a request",
    shows: ["json-rpc/not-a-request"],
    mutation: replace(
      ({ error }) => error?.code === -32600,
      () => [],
    ),
  },
  {
    rule: "RPC-15",
    does: "responds to unknown methods with a wrong code",
    shows: ["json-rpc/unknown-method"],
    mutation: alter(anError("no/such"), ({ error }) => (error.code = -32603)),
  },
  {
    rule: "TRANS-01",
    does: "writes Latin-1 instead of UTF-8",
    shows: [...turn, "watch/utf-8"],
    mutation: inject(chunk, () => [Uint8Array.from(Buffer.from('{"jsonrpc":"2.0","method":"_é"}\n', "latin1"))]),
  },
  {
    rule: "TRANS-03",
    does: "writes a message in several lines",
    shows: [...turn, "watch/one-line-per-message"],
    mutation: replace(chunk, (message) => JSON.stringify(message, undefined, 2).split("\n")),
  },
  {
    rule: "TRANS-04",
    does: "prints a banner",
    shows: [...turn, "watch/only-messages-on-stdout"],
    mutation: injectBefore(initialized, () => ["Ready."]),
  },
  {
    rule: "INIT-05",
    does: "refuses to initialize",
    shows: ["initialize/agrees-on-version-1"],
    mutation: answer(call("initialize"), failed),
  },
  {
    rule: "INIT-05",
    does: "responds to initialize without a version",
    shows: ["initialize/agrees-on-version-1"],
    mutation: alter(initialized, (message) => delete message.result.protocolVersion),
  },
  {
    rule: "INIT-07",
    does: "responds with version 2 to a client of version 1 without capabilities",
    shows: ["initialize/agrees-on-version-1"],
    mutation: alter(
      (message, wire) => initialized(message, wire) && wire.initialize.clientInfo === undefined,
      (message) => (message.result.protocolVersion = 2),
    ),
  },
  {
    rule: "INIT-08",
    does: "responds with an error to other versions",
    shows: ["initialize/unsupported-version"],
    mutation: answer((message) => message.method === "initialize" && message.params.protocolVersion !== 1, failed),
  },
  {
    rule: "INIT-10",
    does: "sends a method that no version defines",
    shows: [...turn, "watch/method-names"],
    mutation: inject(chunk, () => [notification("session/progress")]),
  },
  {
    rule: "INIT-11",
    does: "responds to initialize with the version as a string",
    shows: ["initialize/agrees-on-version-1"],
    mutation: alter(initialized, (message) => (message.result.protocolVersion = "1")),
  },
  {
    rule: "INIT-18",
    does: "opens no session for clients without capabilities",
    shows: ["initialize/client-that-offers-nothing"],
    mutation: answer(
      (message, wire) =>
        message.method === "session/new" && Object.keys(wire.initialize.clientCapabilities ?? {}).length === 0,
      failed,
    ),
  },
  {
    rule: "ERR-01",
    does: "responds with a string as the code of an error",
    shows: ["prompt/failure", "watch/errors"],
    mutation: alter(anError("session/prompt"), ({ error }) => (error.code = "failed")),
  },
  {
    rule: "EXT-05",
    does: "does not respond to unknown extension requests",
    shows: ["json-rpc/unknown-extension"],
    mutation: swallow(({ method }) => method?.startsWith("_acp-kit.invalid/") === true),
  },
  {
    rule: "EXT-03",
    does: "adds members that the schema does not define",
    shows: [...turn, "watch/no-custom-members"],
    mutation: alter(result("session/prompt"), (message) => (message.result.vendor = 1)),
  },
  {
    rule: "CANCEL-18",
    does: "never responds to a request that is cancelled with $/cancel_request",
    shows: ["cancel/request"],
    mutation: () => {
      let cancelled: unknown;
      return {
        fromKit(message) {
          if (message.method === "$/cancel_request") cancelled = message.params.requestId;
          return undefined;
        },
        fromPeer: (message) => (cancelled !== undefined && message.id === cancelled ? [] : undefined),
      };
    },
  },
];
