import type { TapEvent } from "@acp-kit/jsonrpc";
import type { Recorder } from "../src/recording/recorder.js";
import { watchMessages } from "../src/recording/wire-recorder.js";

/** One place where a secret enters a conversation. */
export interface MarkedPlace {
  readonly name: string;
  /** The events, in order. */
  readonly steps: (marker: string) => readonly Step[];
}

export type Step =
  | { readonly from: "client" | "agent"; readonly message: object }
  | { readonly from: "client" | "agent"; readonly line: string }
  | { readonly stderr: string }
  | { readonly command: readonly string[] }
  | { readonly failed: string }
  | { readonly note: string; readonly data: unknown };

const encoder = new TextEncoder();

/** The forms in which a known secret can appear again later: in logs, in errors, in chunks, and so on. */
export const echoes: Readonly<Record<string, (marker: string) => readonly Step[]>> = {
  "a word in the log": (m) => [{ stderr: `[debug] started with ${m}, ready` }],
  "JSON in the log": (m) => [{ stderr: `got ${JSON.stringify({ params: { list: [{ x: m }] } })}` }],
  "JSON in JSON in the log": (m) => [{ stderr: JSON.stringify({ msg: JSON.stringify({ x: JSON.stringify(m) }) }) }],
  "an object in the log": (m) => [{ stderr: `{ setup: [ { a: 'KEY', b: '${m}' } ] }` }],
  "a cut line in the log": (m) => [{ stderr: `["${m.slice(0, -3)}` }],
  "two lines of the log": (m) => [{ stderr: `wrapped ${m.slice(0, 12)}` }, { stderr: `${m.slice(12)} here` }],
  "a URL in the log": (m) => [{ stderr: `GET /x?y=${encodeURIComponent(m)}` }],
  "base64 in the log": (m) => [{ stderr: `sent ${btoa(`user:${m}`)} and ${btoa(`ab${m}c`)}` }],
  noise: (m) => [{ from: "agent", line: `loaded ${m}!` }],
  "a torn message": (m) => [{ from: "agent", line: `{"jsonrpc":"2.0","method":"session/update","params":{"x":"${m}` }],
  "noise of the client": (m) => [{ from: "client", line: `sending ${m}` }],
  "an error's message": (m) => [
    { from: "agent", message: { jsonrpc: "2.0", id: 90, error: { code: -32603, message: `refused ${m}` } } },
  ],
  "an error's data": (m) => [
    { from: "agent", message: { jsonrpc: "2.0", id: 91, error: { code: 1, message: "no", data: { seen: [m] } } } },
  ],
  "a tool's input": (m) => [update({ sessionUpdate: "tool_call", toolCallId: "1", title: m, rawInput: { a: [m] } })],
  "a tool's output": (m) => [
    update({ sessionUpdate: "tool_call_update", toolCallId: "1", rawOutput: { [m]: `x${m}x`, text: `{"a":"${m}"}` } }),
  ],
  "a response in chunks": (m) => [chunk(`It is ${m.slice(0, 9)}`), chunk(m.slice(9)), chunk(".")],
  "a response in tiny chunks": (m) => [...m].map((character) => chunk(character)),
  "a terminal's output": (m) => [
    {
      from: "client",
      message: { jsonrpc: "2.0", id: 92, result: { output: `env\n${m}\n${m.slice(0, -2)}`, truncated: false } },
    },
  ],
  "a snapshot of a terminal's output in version 2": (m) => [terminal({ output: { data: inBase64(`env\n${m}\n`) } })],
  "a terminal's output in chunks in version 2": (m) => [output(`env\n${m.slice(0, 9)}`), output(`${m.slice(9)}\n`)],
  "a terminal's output in tiny chunks in version 2": (m) =>
    Array.from(encoder.encode(m), (byte) => outputChunk(String.fromCharCode(byte))),
  "a snapshot of a terminal's output, then a chunk": (m) => [
    terminal({ output: { data: inBase64(m.slice(0, 9)) } }),
    output(m.slice(9)),
  ],
  "a whole message, then a chunk": (m) => [
    update({ sessionUpdate: "agent_message", messageId: "m", content: [{ type: "text", text: m.slice(0, 9) }] }),
    update({ sessionUpdate: "agent_message_chunk", messageId: "m", content: { type: "text", text: m.slice(9) } }),
  ],
  "two contents of a tool call": (m) =>
    [m.slice(0, 9), m.slice(9)].map((text) =>
      update({
        sessionUpdate: "tool_call_content_chunk",
        toolCallId: "1",
        content: { type: "content", content: { type: "text", text } },
      }),
    ),
  "the reason of a failed start": (m) => [{ failed: `spawn agent ${m} ENOENT` }],
  "a note": (m) => [{ note: `saw ${m}`, data: { deep: [m] } }],
  "extra members": (m) => [
    { from: "agent", message: { jsonrpc: "2.0", method: `_x/${m}`, params: { [m]: m }, extra: m } },
  ],
};

function update(value: object): Step {
  return {
    from: "agent",
    message: { jsonrpc: "2.0", method: "session/update", params: { sessionId: "s", update: value } },
  };
}

function chunk(text: string): Step {
  return update({ sessionUpdate: "agent_message_chunk", content: { type: "text", text } });
}

function terminal(members: object): Step {
  return update({ sessionUpdate: "terminal_update", terminalId: "t", ...members });
}

/** A chunk of a terminal's output. `bytes` has one character from 0 to 255 for each byte. */
function outputChunk(bytes: string): Step {
  return update({ sessionUpdate: "terminal_output_chunk", terminalId: "t", data: btoa(bytes) });
}

function output(text: string): Step {
  return outputChunk(binaryOf(text));
}

function inBase64(text: string): string {
  return btoa(binaryOf(text));
}

function binaryOf(text: string): string {
  return String.fromCharCode(...encoder.encode(text));
}

function request(method: string, params: object): Step {
  return { from: "client", message: { jsonrpc: "2.0", id: 1, method, params } };
}

function ask(method: string, params: object): Step {
  return { from: "agent", message: { jsonrpc: "2.0", id: 1, method, params: { sessionId: "s", ...params } } };
}

function answer(from: "client" | "agent", result: object): Step {
  return { from, message: { jsonrpc: "2.0", id: 1, result } };
}

const server = (members: object): Step =>
  request("session/new", { cwd: "/w", mcpServers: [{ name: "m", ...members }] });

/** Places at which a redactor recognizes a secret the first time, such as `env` of an MCP server. */
const entrances: Readonly<Record<string, (marker: string) => Step>> = {
  "env of a stdio server": (m) => server({ command: "/m", args: [], env: [{ name: "A", value: m }] }),
  "env that is a map": (m) => server({ command: "/m", env: { A: m } }),
  "env that is a list of assignments": (m) => server({ command: "/m", env: [`A=${m}`] }),
  "headers of an HTTP server": (m) => server({ type: "http", url: "https://h", headers: [{ name: "X", value: m }] }),
  "headers of an SSE server": (m) => server({ type: "sse", url: "https://h", headers: [{ name: "X", value: m }] }),
  "Authorization with a scheme": (m) =>
    server({ type: "http", url: "https://h", headers: [{ name: "Authorization", value: `Bearer ${m}` }] }),
  "Authorization with Basic": (m) =>
    server({ type: "http", url: "https://h", headers: [{ name: "Authorization", value: `Basic ${btoa(`me:${m}`)}` }] }),
  "a cookie": (m) => server({ type: "http", url: "https://h", headers: { Cookie: `a=1; session=${m}` } }),
  "args: a flag and its value": (m) => server({ command: "/m", args: ["--api-key", m] }),
  "args: a flag with its value": (m) => server({ command: "/m", args: [`--token=${m}`] }),
  "args: a header": (m) => server({ command: "curl", args: ["-H", `X-Whatever: ${m}`] }),
  "args: a variable": (m) => server({ command: "docker", args: ["run", "-e", `WHATEVER=${m}`] }),
  "args: a user": (m) => server({ command: "curl", args: ["-u", `me:${m}`] }),
  "a password in a URL": (m) => server({ type: "http", url: `https://me:${m}@h/x` }),
  "a token as the user of a URL": (m) => server({ type: "http", url: `https://${m}@h/x` }),
  "a query of a URL": (m) => server({ type: "http", url: `https://h/x?access_token=${m}&a=1` }),
  "a fragment of a URL": (m) => request("authenticate", { methodId: "x", url: `https://h/cb#access_token=${m}` }),
  "a connection string": (m) => server({ command: "/m", args: [`postgres://u:${m}@db:5432/x`] }),
  "a connection string without a user": (m) => server({ command: "/m", args: [`redis://:${m}@db`] }),
  "a connection string of pairs": (m) => server({ command: "/m", args: [`Server=x;User Id=me;Password=${m};`] }),
  "secret: { value }": (m) => request("session/prompt", { secret: { value: m } }),
  "secret, deep": (m) => request("_x/y", { clientSecret: { one: [{ two: m }] } }),
  accessToken: (m) => answer("agent", { accessToken: m }),
  refresh_token: (m) => answer("agent", { refresh_token: m }),
  "API key": (m) => request("_x/login", { "api-key": m }),
  password: (m) => request("_x/login", { user: "me", password: m }),
  passphrase: (m) => request("_x/login", { passphrase: m }),
  privateKey: (m) => request("_x/login", { privateKey: m }),
  credentials: (m) => request("_x/login", { credentials: { user: "me", word: m } }),
  "a token in _meta": (m) => request("session/prompt", { _meta: { "vendor.com/token": m } }),
  "a secret deep in _meta": (m) => request("session/prompt", { _meta: { v: { secretThing: { a: [m] } } } }),
  "_meta of a content block": (m) =>
    request("session/prompt", { prompt: [{ type: "text", text: "x", _meta: { apiKeyOf: m } }] }),
  "env of a terminal": (m) => ask("terminal/create", { command: "x", env: [{ name: "A", value: m }] }),
  "args of a terminal": (m) => ask("terminal/create", { command: "x", args: ["--password", m] }),
  "a shell line of a terminal": (m) => ask("terminal/create", { command: `deploy --auth-token ${m} --now` }),
  "a variable of a shell line": (m) => ask("terminal/create", { command: `MY_API_KEY=${m} deploy` }),
  "a header of a shell line": (m) => ask("terminal/create", { command: `curl -H "X-Api-Key: ${m}" https://x` }),
  "a variable in a terminal's output in version 2": (m) => output(`export API_TOKEN=${m}\n`),
  "env of an authentication method": (m) =>
    answer("agent", { authMethods: [{ type: "terminal", id: "t", env: { A: m } }] }),
  "args of an authentication method": (m) =>
    answer("agent", { authMethods: [{ type: "terminal", id: "t", args: ["--key", m] }] }),
  "a variable of an authentication method": (m) =>
    request("authenticate", { methodId: "env_var", vars: [{ name: "OPENAI_API_KEY", value: m }] }),
  "an elicited secret": (m) => answer("client", { action: "accept", content: { apiKey: m } }),
  "an elicited password": (m) => answer("client", { action: "accept", content: { db_password: m } }),
  "a default of an elicitation": (m) => ask("elicitation/create", { mode: "url", url: `https://x/?code=${m}` }),
  "a config option": (m) => request("session/set_config_option", { configId: "api_key", value: m }),
  "a tool's first input": (m) =>
    update({ sessionUpdate: "tool_call", toolCallId: "1", rawInput: { headers: { a: m } } }),
  "a tool's first output": (m) =>
    update({ sessionUpdate: "tool_call_update", toolCallId: "1", rawOutput: { token: m } }),
  "a tool's output as text": (m) =>
    update({ sessionUpdate: "tool_call_update", rawOutput: `{"auth":{"api_key":"${m}"}}` }),
  "a title with a bearer": (m) => update({ sessionUpdate: "tool_call", title: `curl -H 'Authorization: Bearer ${m}'` }),
  "a private key": (m) => chunk(`-----BEGIN PRIVATE KEY-----\n${m}\n-----END PRIVATE KEY-----`),
  "a known form": (m) => chunk(`use sk-proj-${m} now`),
  "an error's data": (m) => ({
    from: "agent",
    message: { id: 1, error: { code: 1, message: "x", data: { authorization: m } } },
  }),
  "an error's URL": (m) => ({
    from: "agent",
    message: { id: 1, error: { code: 1, message: `GET https://a:${m}@h failed` } },
  }),
  "the command of the agent": (m) => ({ command: ["agent", "--api-key", m] }),
  "an environment variable in the agent's command": (m) => ({ command: ["env", `SECRET_TOKEN=${m}`, "agent"] }),
  "the first log": (m) => ({ stderr: `config: { apiKey: '${m}' }` }),
  "an assignment in a log": (m) => ({ stderr: `export TOKEN=${m}` }),
  "a header in a log": (m) => ({ stderr: `> authorization: Digest ${m}` }),
  "a quoted value in a log": (m) => ({ stderr: `password = "it's ${m}"` }),
  "a torn request": (m) => ({
    from: "client",
    line: `{"method":"session/new","params":{"mcpServers":[{"env":[{"name":"A","value":"${m}`,
  }),
  "a request in JSON in a log": (m) => ({ stderr: JSON.stringify({ got: JSON.stringify({ env: { A: m } }) }) }),
  "a member that comes twice": (m) => ({
    from: "client",
    line: `{"method":"x","params":{"token":"${m}","token":null}}`,
  }),
  "a note": (m) => ({ note: "env", data: { env: { A: m } } }),
};

/** Each of `entrances` alone; then the secret in `env`, followed by each of `echoes`. */
export const places: readonly MarkedPlace[] = [
  ...Object.entries(entrances).map(([name, enter]) => ({ name, steps: (marker: string) => [enter(marker)] })),
  ...Object.entries(echoes).map(([name, echo]) => ({
    name: `env, then ${name}`,
    steps: (marker: string) => [server({ command: "/m", env: [{ name: "A", value: marker }] }), ...echo(marker)],
  })),
];

/** The messages of steps, as a tap sees them. */
export function tapEventsOf(steps: readonly Step[]): TapEvent[] {
  return steps.flatMap((step): TapEvent[] => {
    if (!("from" in step)) return [];
    const base = { direction: step.from === "client" ? "sent" : "received", time: 0, size: 0 } as const;
    return ["message" in step ? { ...base, message: step.message } : { ...base, message: step.line, malformed: true }];
  });
}

/** Records steps. */
export function play(tape: Recorder, steps: readonly Step[]): void {
  for (const step of steps) {
    if ("stderr" in step) tape.stderr(step.stderr);
    else if ("command" in step) tape.process({ event: "started", command: step.command });
    else if ("failed" in step) tape.process({ event: "failed", reason: step.failed });
    else if ("note" in step) tape.note(step.note, step.data);
    else if ("message" in step) tape.message(step.from, step.message, { text: JSON.stringify(step.message) });
    else watchMessages(tape, step.from).push(encoder.encode(`${step.line}\n`));
  }
}
