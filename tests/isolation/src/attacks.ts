import type { Attacker, Rig } from "./rig.js";
import { tokens } from "./rig.js";
import { exchange, httpConnection, rawExchange, type WireRequest } from "./wire.js";

/** An attempt to reach what belongs to another. */
export interface Attack {
  readonly name: string;
  /** Tries it. Returns all that the attacker got: an answer, or responses as they came. */
  readonly attempt: (rig: Rig) => Promise<string>;
  /** What the attacker gets. */
  readonly gets: RegExp;
}

const notFound = /"code":-32002,"message":"Resource not found: session"/;
const opening = { cwd: "/home/ann", mcpServers: [] };
const text = (words: string) => [{ type: "text", text: words }];

/** An attack by one request over WebSocket. */
function request(
  name: string,
  method: string,
  params: (rig: Rig) => object,
  gets: RegExp = notFound,
  who: Attacker = "bob",
): Attack {
  return {
    name,
    gets,
    async attempt(rig) {
      const attacker = await rig.attacker(who);
      const answer = await attacker.request(method, params(rig));
      return `${JSON.stringify(answer)}\n${attacker.received.join("\n")}`;
    },
  };
}

/** An attack by one notification, or response, over WebSocket. What it caused is seen in what came before the next answer. */
function message(
  name: string,
  what: (rig: Rig) => object,
  who: Attacker = "bob",
  gets: RegExp = /"sessions":\[/,
): Attack {
  return {
    name,
    gets,
    async attempt(rig) {
      const attacker = await rig.attacker(who);
      if (who === "observer") await attacker.request("session/resume", { ...opening, sessionId: rig.victim.sessionId });
      attacker.send({ jsonrpc: "2.0", ...what(rig) });
      const answer = await attacker.request("session/list", {});
      return who === "observer" ? JSON.stringify(answer) : `${JSON.stringify(answer)}\n${attacker.received.join("\n")}`;
    },
  };
}

/** An attack by one HTTP request. */
function http(name: string, what: (rig: Rig) => WireRequest | Promise<WireRequest>, gets: RegExp): Attack {
  return { name, gets, attempt: async (rig) => exchange(rig.server, await what(rig)) };
}

/** An attack by bytes. */
function bytes(name: string, what: (rig: Rig) => string, gets: RegExp): Attack {
  return { name, gets, attempt: (rig) => rawExchange(rig.server, what(rig)) };
}

const list = { jsonrpc: "2.0", id: 1, method: "session/list", params: {} };
const hostOf = ({ server }: Rig): string => `127.0.0.1:${server.port}`;
const own = async (
  { server }: Rig,
  more: Record<string, string> = {},
): Promise<Pick<WireRequest, "token" | "headers">> => ({
  token: tokens.bob,
  headers: { "acp-connection-id": await httpConnection(server, tokens.bob), ...more },
});
/** The same digits in another script. */
const lookAlike = (id: string): string => id.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));

/** Ids that are wrong in their own way. */
const strangeIds: readonly (readonly [string, (id: string) => string])[] = [
  ["in capitals", (id) => id.toUpperCase()],
  ["in digits of another script", lookAlike],
  ["with a blank behind", (id) => `${id} `],
  ["with a null byte behind", (id) => `${id}\0`],
  ["with an invisible character", (id) => `${id}\u200b`],
  ["with a path before it", (id) => `../ann/${id}`],
  ["encoded for a URL", (id) => encodeURIComponent(`../${id}`)],
  ["with the scope before it", (id) => JSON.stringify(["acme", "ann", id])],
  ["cut short", (id) => id.slice(0, -1)],
  ["with a wildcard", (id) => `${id.slice(0, 4)}%`],
  ["as SQL", (id) => `' OR session_id = '${id}`],
];

/** The attacks. A test tries each, then looks whether ann noticed anything. */
export const attacks: readonly Attack[] = [
  // A foreign session, by its id.
  request("load a foreign session", "session/load", ({ victim }) => ({ ...opening, sessionId: victim.sessionId })),
  request("resume a foreign session", "session/resume", ({ victim }) => ({ ...opening, sessionId: victim.sessionId })),
  request("resume it at its owner's cursor", "session/resume", ({ victim }) => ({
    ...opening,
    sessionId: victim.sessionId,
    _meta: { "acp-kit/cursor": victim.cursor },
  })),
  request("prompt in a foreign session", "session/prompt", ({ victim }) => ({
    sessionId: victim.sessionId,
    prompt: text("steal"),
  })),
  request("prompt with its owner's key", "session/prompt", ({ victim }) => ({
    sessionId: victim.sessionId,
    prompt: text("steal"),
    _meta: { "acp-kit/key": victim.promptKey },
  })),
  request("close a foreign session", "session/close", ({ victim }) => ({ sessionId: victim.sessionId })),
  request(
    "delete a foreign session",
    "session/delete",
    ({ victim }) => ({ sessionId: victim.sessionId }),
    /"result":\{\}|-32002/,
  ),
  request("change its mode", "session/set_mode", ({ victim }) => ({ sessionId: victim.sessionId, modeId: "yolo" })),
  request(
    "fork it",
    "session/fork",
    ({ victim }) => ({ ...opening, sessionId: victim.sessionId }),
    /"code":-3260[01]|-32002/,
  ),
  request("send it a request of an extension", "_vendor/read", ({ victim }) => ({ sessionId: victim.sessionId })),
  request(
    "load it as the user of the same name in another tenant",
    "session/load",
    ({ victim }) => ({ ...opening, sessionId: victim.sessionId }),
    notFound,
    "otherAnn",
  ),
  request("list the folder of its owner", "session/list", () => ({ cwd: "/home/ann" }), /"result":\{"sessions":\[\]\}/),
  request("list from a cursor that was made up", "session/list", () => ({ cursor: "MQ" }), /"sessions":\[\]|-32602/),
  message("cancel its turn", ({ victim }) => ({ method: "session/cancel", params: { sessionId: victim.sessionId } })),
  message("send it a notification of an extension", ({ victim }) => ({
    method: "_vendor/x",
    params: { sessionId: victim.sessionId },
  })),
  message("respond to its permission request, by the id of the request", ({ ann }) => ({
    id: ann.requests[0]?.id,
    result: { outcome: { outcome: "selected", optionId: "yes" } },
  })),
  ...strangeIds.map(([how, write]) =>
    request(`load it by its id ${how}`, "session/load", ({ victim }) => ({
      ...opening,
      sessionId: write(victim.sessionId),
    })),
  ),
  ...["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"].map((id) =>
    request(`a session called ${id}`, "session/load", () => ({ ...opening, sessionId: id })),
  ),
  request(
    "an id of a million characters",
    "session/load",
    () => ({ ...opening, sessionId: "f".repeat(1_000_000) }),
    /"code":-32602/,
  ),
  request(
    "ids that are no text",
    "session/load",
    () => ({ ...opening, sessionId: { toString: "x", $ne: null } }),
    /"code":-32602/,
  ),
  {
    name: "claim an id by loading it before it exists, then use what its owner put there",
    gets: notFound,
    async attempt(rig) {
      const attacker = await rig.attacker("bob");
      const id = "c".repeat(32);
      const first = await attacker.request("session/load", { ...opening, sessionId: id });
      const second = await attacker.request("session/prompt", { sessionId: id, prompt: text("mine") });
      return JSON.stringify([first, second, await attacker.request("session/list", {})]);
    },
  },
  {
    name: "resume an own session at the cursor of a foreign one",
    gets: /"own words"|journal_lost|cursor_expired|-32602|"result"/,
    async attempt(rig) {
      const attacker = await rig.attacker("bob");
      const { result } = await attacker.request("session/new", opening);
      const { sessionId } = result as { sessionId: string };
      await attacker.request("session/prompt", { sessionId, prompt: text("own words") });
      const answer = await attacker.request("session/resume", {
        ...opening,
        sessionId,
        _meta: { "acp-kit/cursor": rig.victim.cursor },
      });
      await attacker.request("session/delete", { sessionId });
      return `${JSON.stringify(answer)}\n${attacker.received.join("\n")}`;
    },
  },
  {
    name: "initialize as a foreign client, by the id under which the server knows it",
    gets: /"sessions":\[\]/,
    async attempt(rig) {
      const { RpcCaller } = await import("./rpc-caller.js");
      const attacker = await RpcCaller.open(rig.server, tokens.bob, { client: rig.victim.clientId });
      const answers = [
        await attacker.request("session/list", {}),
        await attacker.request("session/resume", {
          ...opening,
          sessionId: rig.victim.sessionId,
          _meta: { "acp-kit/prompts": [3] },
        }),
      ];
      await attacker.close();
      return `${JSON.stringify(answers)}\n${attacker.received.join("\n")}`;
    },
  },
  {
    name: "pollute prototypes by params",
    gets: /"sessions":\[\]/,
    async attempt(rig) {
      const attacker = await rig.attacker("bob");
      const params = JSON.parse(
        '{"__proto__":{"access":"full","user":"ann","cwd":"/home/ann"},"constructor":{"prototype":{"user":"ann"}}}',
      );
      const answer = await attacker.request("session/list", params);
      return JSON.stringify([answer, ({} as { user?: string }).user ?? "clean"]);
    },
  },
  // An observer of the same user changes nothing.
  request(
    "prompt as an observer",
    "session/prompt",
    ({ victim }) => ({ sessionId: victim.sessionId, prompt: text("steal") }),
    /"reason":"read_only"/,
    "observer",
  ),
  request(
    "delete as an observer",
    "session/delete",
    ({ victim }) => ({ sessionId: victim.sessionId }),
    /"reason":"read_only"/,
    "observer",
  ),
  request("start a session as an observer", "session/new", () => opening, /"reason":"read_only"/, "observer"),
  message(
    "cancel as an observer",
    ({ victim }) => ({ method: "session/cancel", params: { sessionId: victim.sessionId } }),
    "observer",
  ),
  message(
    "answer a permission request as an observer",
    ({ ann }) => ({ id: ann.requests[0]?.id, result: { outcome: { outcome: "selected", optionId: "yes" } } }),
    "observer",
  ),
  // A foreign connection, by its id.
  http(
    "POST on a foreign connection",
    ({ victim }) => ({ token: tokens.bob, headers: { "acp-connection-id": victim.connectionId }, body: list }),
    / 404 /,
  ),
  http(
    "open the stream of a foreign connection",
    ({ victim }) => ({
      method: "GET",
      token: tokens.bob,
      headers: { "acp-connection-id": victim.connectionId, accept: "text/event-stream" },
    }),
    / 404 /,
  ),
  http(
    "end a foreign connection",
    ({ victim }) => ({ method: "DELETE", token: tokens.bob, headers: { "acp-connection-id": victim.connectionId } }),
    / 404 /,
  ),
  http(
    "continue its stream behind the last event",
    ({ victim }) => ({
      method: "GET",
      token: tokens.bob,
      headers: {
        "acp-connection-id": victim.connectionId,
        "acp-session-id": victim.sessionId,
        accept: "text/event-stream",
        "last-event-id": victim.cursor,
        "acp-kit-received": "0",
      },
    }),
    / 404 /,
  ),
  http(
    "use an ended connection again",
    async ({ server }) => {
      const id = await httpConnection(server, tokens.bob);
      await exchange(server, { method: "DELETE", token: tokens.bob, headers: { "acp-connection-id": id } });
      return { token: tokens.bob, headers: { "acp-connection-id": id }, body: list };
    },
    / 404 /,
  ),
  http(
    "upgrade into a foreign connection",
    ({ victim }) => ({
      method: "GET",
      token: tokens.bob,
      headers: {
        connection: "upgrade",
        upgrade: "websocket",
        "sec-websocket-version": "13",
        "sec-websocket-key": "AAAAAAAAAAAAAAAAAAAAAA==",
        "acp-connection-id": victim.connectionId,
      },
    }),
    / (101|400|404) /,
  ),
  // Header and body disagree.
  http(
    "the session of the header is foreign, that of the body is not",
    async (rig) => ({
      ...(await own(rig, { "acp-session-id": rig.victim.sessionId })),
      body: { ...list, method: "session/prompt", params: { sessionId: "mine", prompt: [] } },
    }),
    / 40[04] /,
  ),
  http(
    "the session of the body is foreign, that of the header is not",
    async (rig) => ({
      ...(await own(rig, { "acp-session-id": "mine" })),
      body: { ...list, method: "session/prompt", params: { sessionId: rig.victim.sessionId, prompt: [] } },
    }),
    / 40[04] /,
  ),
  http(
    "a body that names two sessions",
    async (rig) => ({
      ...(await own(rig, { "acp-session-id": "mine" })),
      body: `{"jsonrpc":"2.0","id":1,"method":"session/prompt","params":{"sessionId":"mine","sessionId":"${rig.victim.sessionId}","prompt":[]}}`,
    }),
    / 40[04] /,
  ),
  http(
    "open the stream of a foreign session on an own connection",
    async (rig) => ({
      method: "GET",
      ...(await own(rig, {
        "acp-session-id": rig.victim.sessionId,
        accept: "text/event-stream",
        "last-event-id": rig.victim.cursor,
      })),
    }),
    / (200|404|410) /,
  ),
  http(
    "hide a foreign session in a batch",
    async (rig) => ({
      ...(await own(rig)),
      body: [list, { ...list, method: "session/load", params: { ...opening, sessionId: rig.victim.sessionId } }],
    }),
    / 501 /,
  ),
  // Credentials.
  http(
    "the token in the URL",
    () => ({ path: `/acp?token=${tokens.ann}&access_token=${tokens.ann}`, body: list }),
    / 401 /,
  ),
  http("the token as a cookie", () => ({ headers: { cookie: `token=${tokens.ann}` }, body: list }), / 401 /),
  http(
    "the token under another scheme",
    () => ({ headers: { authorization: `Basic ${tokens.ann}` }, body: list }),
    / 401 /,
  ),
  http("an empty token", () => ({ token: "", body: list }), / 401 /),
  http("a token and something behind it", () => ({ token: `${tokens.ann}x`, body: list }), / 401 /),
  http("the beginning of a token", () => ({ token: tokens.ann.slice(0, -1), body: list }), / 401 /),
  http(
    "a user in headers of a proxy",
    () => ({ headers: { "x-forwarded-user": "ann", "x-remote-user": "ann", forwarded: "for=127.0.0.1" }, body: list }),
    / 401 /,
  ),
  bytes(
    "two tokens",
    (rig) =>
      `POST /acp HTTP/1.1\r\nhost: ${hostOf(rig)}\r\nauthorization: Bearer ${tokens.bob}\r\nauthorization: Bearer ${tokens.ann}\r\nacp-connection-id: ${rig.victim.connectionId}\r\ncontent-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}`,
    / 40[014] /,
  ),
  // Names of the server and of pages.
  http(
    "a name that resolves to this machine",
    () => ({ token: tokens.bob, headers: { host: "rebound.example.com" }, body: list }),
    / 403 /,
  ),
  http(
    "a page of another origin",
    () => ({ token: tokens.bob, headers: { origin: "https://evil.example.com" }, body: list }),
    / 403 /,
  ),
  http("a page without an origin", () => ({ token: tokens.bob, headers: { origin: "null" }, body: list }), / 403 /),
  http(
    "a host in a header of a proxy",
    ({ server }) => ({
      token: tokens.bob,
      headers: { host: "rebound.example.com", "x-forwarded-host": `127.0.0.1:${server.port}` },
      body: list,
    }),
    / 403 /,
  ),
  http(
    "a preflight of another origin",
    () => ({
      method: "OPTIONS",
      headers: { origin: "https://evil.example.com", "access-control-request-method": "POST" },
    }),
    / 403 /,
  ),
  // The wire.
  bytes(
    "two lengths",
    (rig) => `POST /acp HTTP/1.1\r\nhost: ${hostOf(rig)}\r\ncontent-length: 2\r\ncontent-length: 60\r\n\r\n{}`,
    / 400 /,
  ),
  bytes(
    "a length and chunks, with a second request behind",
    (rig) =>
      `POST /acp HTTP/1.1\r\nhost: ${hostOf(rig)}\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /acp HTTP/1.1\r\nhost: ${hostOf(rig)}\r\nauthorization: Bearer ${tokens.ann}\r\n\r\n`,
    /^HTTP\/1\.1 400 (?![\s\S]*HTTP\/1\.1)/,
  ),
  bytes(
    "a line end in a header",
    (rig) =>
      `POST /acp HTTP/1.1\r\nhost: ${hostOf(rig)}\r\nacp-session-id: x\rauthorization: Bearer ${tokens.ann}\r\n\r\n`,
    / 400 /,
  ),
  bytes(
    "a null byte in a header",
    (rig) => `POST /acp HTTP/1.1\r\nhost: ${hostOf(rig)}\r\nacp-connection-id: ${rig.victim.connectionId}\0\r\n\r\n`,
    / 400 /,
  ),
  bytes(
    "a header that goes on in the next line",
    (rig) =>
      `POST /acp HTTP/1.1\r\nhost: ${hostOf(rig)}\r\nauthorization: Bearer\r\n ${tokens.ann}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`,
    / 40[01] /,
  ),
  bytes(
    "the address of another server",
    () =>
      `GET http://rebound.example.com/acp HTTP/1.1\r\nhost: rebound.example.com\r\nauthorization: Bearer ${tokens.bob}\r\nconnection: close\r\n\r\n`,
    / 40[034] /,
  ),
  http(
    "another method by a header",
    async (rig) => ({
      ...(await own(rig, { "x-http-method-override": "DELETE" })),
      body: { ...list, method: "session/load", params: { ...opening, sessionId: rig.victim.sessionId } },
    }),
    / (202|40\d) /,
  ),
  http(
    "a path that leaves the endpoint",
    () => ({ method: "GET", path: "/acp/../../etc/passwd", token: tokens.bob }),
    / 40[04] /,
  ),
  http(
    "the journal of a foreign session",
    ({ victim }) => ({ method: "GET", path: `/acp/sessions/${victim.sessionId}/journal`, token: tokens.bob }),
    / 404 /,
  ),
  // The log.
  request("lines and escapes for the log, in ids", "session/load", () => ({
    ...opening,
    sessionId: 'x\r\n{"type":"session_deleted"}\u001b[2J',
  })),
  request("lines for the log, in the name of a method", "session/x\r\n\u001b[2J", () => ({}), /"code":-32601/),
];
