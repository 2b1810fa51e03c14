import type { Attacker, Rig } from "./rig.js";
import { tokens } from "./rig.js";
import { exchange, httpConnection, rawExchange, type WireRequest } from "./wire.js";

/** An attempt to access another principal's data. */
export interface Attack {
  readonly name: string;
  /** Runs the attack. Returns everything that the attacker received. */
  readonly attempt: (rig: Rig) => Promise<string>;
  /** The expected outcome for the attacker. */
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

/** An attack by one notification or response over WebSocket. Its effect is in the messages before the next response. */
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
      // An observer may read the titles of its user's sessions, which begin as the first prompts do.
      const withoutTitles = (key: string, value: unknown): unknown => (key === "title" ? undefined : value);
      return who === "observer"
        ? JSON.stringify(answer, withoutTitles)
        : `${JSON.stringify(answer)}\n${attacker.received.join("\n")}`;
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
/** Returns the same digits in another script. */
const lookAlike = (id: string): string => id.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)));

/** Variants of an id, each invalid in another way. */
const strangeIds: readonly (readonly [string, (id: string) => string])[] = [
  ["in upper case", (id) => id.toUpperCase()],
  ["in digits of another script", lookAlike],
  ["with a space after it", (id) => `${id} `],
  ["with a null byte after it", (id) => `${id}\0`],
  ["with an invisible character", (id) => `${id}\u200b`],
  ["with a path before it", (id) => `../ann/${id}`],
  ["encoded for a URL", (id) => encodeURIComponent(`../${id}`)],
  ["with the scope before it", (id) => JSON.stringify(["acme", "ann", id])],
  ["cut short", (id) => id.slice(0, -1)],
  ["with a wildcard", (id) => `${id.slice(0, 4)}%`],
  ["as SQL", (id) => `' OR session_id = '${id}`],
];

/** The attacks. A test runs each and then checks that ann is not affected. */
export const attacks: readonly Attack[] = [
  // Attacks on a session of another principal, by its id.
  request("load the victim's session", "session/load", ({ victim }) => ({ ...opening, sessionId: victim.sessionId })),
  request("resume the victim's session", "session/resume", ({ victim }) => ({
    ...opening,
    sessionId: victim.sessionId,
  })),
  request("resume the victim's session at the victim's cursor", "session/resume", ({ victim }) => ({
    ...opening,
    sessionId: victim.sessionId,
    _meta: { "acp-kit/cursor": victim.cursor },
  })),
  request("prompt in the victim's session", "session/prompt", ({ victim }) => ({
    sessionId: victim.sessionId,
    prompt: text("steal"),
  })),
  request("prompt in the victim's session with the key of the victim's prompt", "session/prompt", ({ victim }) => ({
    sessionId: victim.sessionId,
    prompt: text("steal"),
    _meta: { "acp-kit/key": victim.promptKey },
  })),
  request("close the victim's session", "session/close", ({ victim }) => ({ sessionId: victim.sessionId })),
  request(
    "delete the victim's session",
    "session/delete",
    ({ victim }) => ({ sessionId: victim.sessionId }),
    /"result":\{\}|-32002/,
  ),
  request("change the mode of the victim's session", "session/set_mode", ({ victim }) => ({
    sessionId: victim.sessionId,
    modeId: "yolo",
  })),
  request(
    "fork the victim's session",
    "session/fork",
    ({ victim }) => ({ ...opening, sessionId: victim.sessionId }),
    /"code":-3260[01]|-32002/,
  ),
  request("send an extension request to the victim's session", "_vendor/read", ({ victim }) => ({
    sessionId: victim.sessionId,
  })),
  request(
    "load the victim's session as the user with the same name in another tenant",
    "session/load",
    ({ victim }) => ({ ...opening, sessionId: victim.sessionId }),
    notFound,
    "otherAnn",
  ),
  request(
    "list the sessions of the victim's folder",
    "session/list",
    () => ({ cwd: "/home/ann" }),
    /"result":\{"sessions":\[\]\}/,
  ),
  request("list sessions from an invented cursor", "session/list", () => ({ cursor: "MQ" }), /"sessions":\[\]|-32602/),
  message("cancel the victim's turn", ({ victim }) => ({
    method: "session/cancel",
    params: { sessionId: victim.sessionId },
  })),
  message("send an extension notification to the victim's session", ({ victim }) => ({
    method: "_vendor/x",
    params: { sessionId: victim.sessionId },
  })),
  message("respond to the victim's permission request, with the id of the request", ({ ann }) => ({
    id: ann.requests[0]?.id,
    result: { outcome: { outcome: "selected", optionId: "yes" } },
  })),
  ...strangeIds.map(([how, write]) =>
    request(`load the victim's session by its id ${how}`, "session/load", ({ victim }) => ({
      ...opening,
      sessionId: write(victim.sessionId),
    })),
  ),
  ...["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"].map((id) =>
    request(`load a session with the id ${id}`, "session/load", () => ({ ...opening, sessionId: id })),
  ),
  request(
    "load a session with an id of a million characters",
    "session/load",
    () => ({ ...opening, sessionId: "f".repeat(1_000_000) }),
    /"code":-32602/,
  ),
  request(
    "load a session with an object as its id",
    "session/load",
    () => ({ ...opening, sessionId: { toString: "x", $ne: null } }),
    /"code":-32602/,
  ),
  {
    name: "load an id before a session has it, then prompt in the session with that id",
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
    name: "resume the attacker's session at the victim's cursor",
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
    name: "initialize with the client id of the victim's client",
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
    name: "pollute prototypes with the members of params",
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
    "respond to a permission request as an observer",
    ({ ann }) => ({ id: ann.requests[0]?.id, result: { outcome: { outcome: "selected", optionId: "yes" } } }),
    "observer",
  ),
  // Attacks on a connection of another principal, by its id.
  http(
    "POST on the victim's connection",
    ({ victim }) => ({ token: tokens.bob, headers: { "acp-connection-id": victim.connectionId }, body: list }),
    / 404 /,
  ),
  http(
    "open the stream of the victim's connection",
    ({ victim }) => ({
      method: "GET",
      token: tokens.bob,
      headers: { "acp-connection-id": victim.connectionId, accept: "text/event-stream" },
    }),
    / 404 /,
  ),
  http(
    "end the victim's connection",
    ({ victim }) => ({ method: "DELETE", token: tokens.bob, headers: { "acp-connection-id": victim.connectionId } }),
    / 404 /,
  ),
  http(
    "continue the stream of the victim's session after its last event",
    ({ victim }) => ({
      method: "GET",
      token: tokens.bob,
      headers: {
        "acp-connection-id": victim.connectionId,
        "acp-session-id": victim.sessionId,
        accept: "text/event-stream",
        "last-event-id": victim.cursor,
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
    "upgrade to WebSocket with the id of the victim's connection",
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
  // Header and body differ.
  http(
    "name the victim's session in the header and another session in the body",
    async (rig) => ({
      ...(await own(rig, { "acp-session-id": rig.victim.sessionId })),
      body: { ...list, method: "session/prompt", params: { sessionId: "mine", prompt: [] } },
    }),
    / 40[04] /,
  ),
  http(
    "name the victim's session in the body and another session in the header",
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
    "open the stream of the victim's session on the attacker's connection",
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
    "name the victim's session in a batch",
    async (rig) => ({
      ...(await own(rig)),
      body: [list, { ...list, method: "session/load", params: { ...opening, sessionId: rig.victim.sessionId } }],
    }),
    / 501 /,
  ),
  // Credentials.
  http(
    "send the token in the URL",
    () => ({ path: `/acp?token=${tokens.ann}&access_token=${tokens.ann}`, body: list }),
    / 401 /,
  ),
  http("send the token as a cookie", () => ({ headers: { cookie: `token=${tokens.ann}` }, body: list }), / 401 /),
  http(
    "send the token with another authentication scheme",
    () => ({ headers: { authorization: `Basic ${tokens.ann}` }, body: list }),
    / 401 /,
  ),
  http("send an empty token", () => ({ token: "", body: list }), / 401 /),
  http("send a token with one more character", () => ({ token: `${tokens.ann}x`, body: list }), / 401 /),
  http("send a token without its last character", () => ({ token: tokens.ann.slice(0, -1), body: list }), / 401 /),
  http(
    "name a user in the headers that a proxy sets",
    () => ({ headers: { "x-forwarded-user": "ann", "x-remote-user": "ann", forwarded: "for=127.0.0.1" }, body: list }),
    / 401 /,
  ),
  bytes(
    "send two tokens",
    (rig) =>
      `POST /acp HTTP/1.1\r\nhost: ${hostOf(rig)}\r\nauthorization: Bearer ${tokens.bob}\r\nauthorization: Bearer ${tokens.ann}\r\nacp-connection-id: ${rig.victim.connectionId}\r\ncontent-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}`,
    / 40[014] /,
  ),
  // Names of the server and of pages.
  http(
    "send a Host that resolves to this machine",
    () => ({ token: tokens.bob, headers: { host: "rebound.example.com" }, body: list }),
    / 403 /,
  ),
  http(
    "send a request from a page of another origin",
    () => ({ token: tokens.bob, headers: { origin: "https://evil.example.com" }, body: list }),
    / 403 /,
  ),
  http(
    "send a request from a page without an origin",
    () => ({ token: tokens.bob, headers: { origin: "null" }, body: list }),
    / 403 /,
  ),
  http(
    "name the host in the header that a proxy sets",
    ({ server }) => ({
      token: tokens.bob,
      headers: { host: "rebound.example.com", "x-forwarded-host": `127.0.0.1:${server.port}` },
      body: list,
    }),
    / 403 /,
  ),
  http(
    "send a preflight request from another origin",
    () => ({
      method: "OPTIONS",
      headers: { origin: "https://evil.example.com", "access-control-request-method": "POST" },
    }),
    / 403 /,
  ),
  // The wire.
  bytes(
    "send two content lengths",
    (rig) => `POST /acp HTTP/1.1\r\nhost: ${hostOf(rig)}\r\ncontent-length: 2\r\ncontent-length: 60\r\n\r\n{}`,
    / 400 /,
  ),
  bytes(
    "send a content length and chunks, with a second request after the chunks",
    (rig) =>
      `POST /acp HTTP/1.1\r\nhost: ${hostOf(rig)}\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\nGET /acp HTTP/1.1\r\nhost: ${hostOf(rig)}\r\nauthorization: Bearer ${tokens.ann}\r\n\r\n`,
    /^HTTP\/1\.1 400 (?![\s\S]*HTTP\/1\.1)/,
  ),
  bytes(
    "send a line end in a header",
    (rig) =>
      `POST /acp HTTP/1.1\r\nhost: ${hostOf(rig)}\r\nacp-session-id: x\rauthorization: Bearer ${tokens.ann}\r\n\r\n`,
    / 400 /,
  ),
  bytes(
    "send a null byte in a header",
    (rig) => `POST /acp HTTP/1.1\r\nhost: ${hostOf(rig)}\r\nacp-connection-id: ${rig.victim.connectionId}\0\r\n\r\n`,
    / 400 /,
  ),
  bytes(
    "continue a header in the next line",
    (rig) =>
      `POST /acp HTTP/1.1\r\nhost: ${hostOf(rig)}\r\nauthorization: Bearer\r\n ${tokens.ann}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`,
    / 40[01] /,
  ),
  bytes(
    "request the address of another server",
    () =>
      `GET http://rebound.example.com/acp HTTP/1.1\r\nhost: rebound.example.com\r\nauthorization: Bearer ${tokens.bob}\r\nconnection: close\r\n\r\n`,
    / 40[034] /,
  ),
  http(
    "override the method with a header",
    async (rig) => ({
      ...(await own(rig, { "x-http-method-override": "DELETE" })),
      body: { ...list, method: "session/load", params: { ...opening, sessionId: rig.victim.sessionId } },
    }),
    / (202|40\d) /,
  ),
  http(
    "request a path outside the endpoint",
    () => ({ method: "GET", path: "/acp/../../etc/passwd", token: tokens.bob }),
    / 40[04] /,
  ),
  http(
    "read the journal of the victim's session",
    ({ victim }) => ({ method: "GET", path: `/acp/sessions/${victim.sessionId}/journal`, token: tokens.bob }),
    / 404 /,
  ),
  // The log.
  request("write lines and escapes into the log, with an id", "session/load", () => ({
    ...opening,
    sessionId: 'x\r\n{"type":"session_deleted"}\u001b[2J',
  })),
  request("write lines into the log, with the name of a method", "session/x\r\n\u001b[2J", () => ({}), /"code":-32601/),
];
