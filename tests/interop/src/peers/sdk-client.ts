import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { Readable, Writable } from "node:stream";
import { program } from "@acp-kit/promises-tests/program";
import * as sdk0 from "sdk-0";
import * as sdk2 from "sdk-2";
import { createHttpStream } from "sdk-2/experimental/http-client";
import { createWebSocketStream } from "sdk-2/experimental/ws-client";
import { WebSocket } from "ws";
import { kitAgent } from "./kit.js";
import { type Profile, serveOurs } from "./remote-servers.js";

/** Handlers by method. The return value is the result. */
export type Handlers = Readonly<Record<string, (params: never) => unknown>>;

/** A client on an official SDK, connected to our agent in a process of its own. */
export interface SdkClient extends AsyncDisposable {
  call(method: string, params: object): Promise<unknown>;
  notify(method: string, params: object): Promise<void>;
}

/** Starts our agent for a client on an official SDK. */
export type Connect = (handlers: Handlers) => Promise<SdkClient>;

interface Streams {
  readonly output: WritableStream<Uint8Array>;
  readonly input: ReadableStream<Uint8Array>;
  close(): Promise<void>;
}

async function startAgent(): Promise<Streams> {
  const path = await program(new URL("./kit-agent.ts", import.meta.url));
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(process.execPath, [path], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const exit = once(child, "exit");
  return {
    output: Writable.toWeb(child.stdin) as WritableStream<Uint8Array>,
    input: Readable.toWeb(child.stdout) as ReadableStream<Uint8Array>,
    async close() {
      child.stdin.destroy();
      await exit; // Our agent ends when its client disconnects.
    },
  };
}

/** A client on the official SDK 2.4.0. */
export const connectSdk2: Connect = async (handlers) => {
  const { output, input, close } = await startAgent();
  return { ...overStream(sdk2.ndJsonStream(output, input), handlers), [Symbol.asyncDispose]: close };
};

/** Connects a client on the official SDK 2.4.0 to our server, over the SDK's transport of this profile. */
export const connectSdk2Over =
  (profile: Profile): Connect =>
  async (handlers) => {
    const server = await serveOurs(kitAgent);
    const { connection, ...client } = openSdk2(profile, server.address(profile), handlers);
    return {
      ...client,
      async [Symbol.asyncDispose]() {
        connection.close();
        await server[Symbol.asyncDispose]();
      },
    };
  };

/** Opens a connection with the official SDK's own transport of this profile. */
export function openSdk2(profile: Profile, url: string, handlers: Handlers): ReturnType<typeof overStream> {
  return overStream(streamOfSdk2(profile, url), handlers);
}

/** The official SDK's own transport of this profile. */
export function streamOfSdk2(profile: Profile, url: string): sdk2.Stream {
  return profile === "WebSocket"
    ? createWebSocketStream(url, { WebSocket: WebSocket as never })
    : createHttpStream(url);
}

function overStream(
  stream: sdk2.Stream,
  handlers: Handlers,
): Omit<SdkClient, keyof AsyncDisposable> & { readonly connection: sdk2.ClientConnection } {
  const app = sdk2.client({ name: "sdk-2" });
  for (const [method, handler] of Object.entries(handlers)) {
    const handle = ({ params }: { params: unknown }): never => handler(params as never) as never;
    if (method === "session/update" || method === "elicitation/complete") app.onNotification(method, handle);
    else if (method.startsWith("_")) app.onRequest(method, (params) => params, handle);
    else app.onRequest(method as sdk2.ClientRequestMethod, handle);
  }
  const connection = app.connect(stream);
  return {
    connection,
    call: (method, params) => connection.agent.request(method, params),
    notify: (method, params) => connection.agent.notify(method, params),
  };
}

/** A client on the official SDK 0.14.1, which has no elicitation and only a part of the session lifecycle. */
export const connectSdk0: Connect = async (handlers) => {
  const { output, input, close } = await startAgent();
  const handled =
    (method: string) =>
    async (params: unknown): Promise<never> => {
      const handler = handlers[method];
      if (handler === undefined) throw sdk0.RequestError.methodNotFound(method);
      return (await handler(params as never)) as never;
    };
  const toClient = (): sdk0.Client => ({
    requestPermission: handled("session/request_permission"),
    sessionUpdate: handled("session/update"),
    readTextFile: handled("fs/read_text_file"),
    writeTextFile: handled("fs/write_text_file"),
    createTerminal: handled("terminal/create"),
    terminalOutput: handled("terminal/output"),
    waitForTerminalExit: handled("terminal/wait_for_exit"),
    killTerminal: handled("terminal/kill"),
    releaseTerminal: handled("terminal/release"),
    extMethod: (method, params) => handled(method)(params),
  });
  const agent = new sdk0.ClientSideConnection(toClient, sdk0.ndJsonStream(output, input));
  const methods: Record<string, (params: never) => Promise<unknown>> = {
    initialize: (params) => agent.initialize(params),
    authenticate: (params) => agent.authenticate(params),
    "session/new": (params) => agent.newSession(params),
    "session/load": (params) => agent.loadSession(params),
    "session/resume": (params) => agent.unstable_resumeSession(params),
    "session/list": (params) => agent.unstable_listSessions(params),
    "session/set_mode": (params) => agent.setSessionMode(params),
    "session/set_config_option": (params) => agent.setSessionConfigOption(params),
    "session/prompt": (params) => agent.prompt(params),
  };
  return {
    call: (method, params) =>
      methods[method]?.(params as never) ?? agent.extMethod(method, params as Record<string, unknown>),
    notify: (method, params) =>
      method === "session/cancel" ? agent.cancel(params as never) : agent.extNotification(method, params as never),
    [Symbol.asyncDispose]: close,
  };
};
