import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { checkOptions, isJsonObject, type OptionKinds } from "@acp-kit/jsonrpc/internal";
import { anthropic } from "./dialects/anthropic.js";
import type { Dialect } from "./dialects/dialect.js";
import { gemini } from "./dialects/gemini.js";
import { openAiChat } from "./dialects/openai-chat.js";
import { openAiResponses } from "./dialects/openai-responses.js";
import type { Json, ModelRequest, ModelScript } from "./model-request.js";
import { plainModel } from "./plain-model.js";

/** Options of {@link startModel}. */
export interface StartModelOptions {
  /** The function that decides how the model responds. @defaultValue {@link plainModel} */
  readonly script?: ModelScript;
  /** The port on the loopback address; 0 uses a free port. @defaultValue 0 */
  readonly port?: number;
}

/** A scripted model that listens on this machine. Close it, or dispose of it, when the test ends. */
export interface ModelServer extends AsyncDisposable {
  /** The address of the model: `http://127.0.0.1:` and its port. */
  readonly url: string;
  /** The requests that the model has received, in order. */
  readonly requests: readonly ModelRequest[];
  /** The environment variables in which most agents look for a model's address and key. */
  readonly env: Readonly<Record<string, string>>;
  /** Ends all responses and closes the server. */
  close(): Promise<void>;
}

/** The maximum size of a request in bytes. A request can contain a whole conversation with images. */
const REQUEST_LIMIT = 64 * 1024 * 1024;

/** The maximum number of requests in {@link ModelServer.requests}. */
const KEPT_REQUESTS = 10_000;

/**
 * Starts a scripted language model that implements Anthropic's Messages, OpenAI's Chat Completions and Responses, and
 * Gemini, with and without streaming. The model listens only on the loopback address and accepts any key.
 *
 * @throws {Error} the error of `listen` when the port is taken.
 */
export async function startModel(options: StartModelOptions = {}): Promise<ModelServer> {
  checkOptions("startModel", options, optionKinds);
  const { script = plainModel, port = 0 } = options;
  const requests: ModelRequest[] = [];
  let count = 0;
  const server = createServer((incoming, response) => {
    response.on("error", () => {});
    respond(incoming, response, (request) => {
      if (requests.length < KEPT_REQUESTS) requests.push(request);
      return { reply: script(request), id: String(++count) };
    }).catch((error: unknown) => {
      if (!response.headersSent) send(response, 500, { error: { message: String(error) } });
      else response.destroy();
    });
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = (): Promise<void> => closeServer(server);
  return { url, requests, env: environmentOf(url), close, [Symbol.asyncDispose]: close };
}

const optionKinds: OptionKinds<StartModelOptions> = { script: "function", port: "value" };

function environmentOf(url: string): Readonly<Record<string, string>> {
  const key = "fake-key";
  return {
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: key,
    OPENAI_BASE_URL: `${url}/v1`,
    OPENAI_API_BASE: `${url}/v1`,
    OPENAI_API_KEY: key,
    GOOGLE_GEMINI_BASE_URL: url,
    GEMINI_API_KEY: key,
  };
}

async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, "close");
  server.close();
  server.closeAllConnections();
  await closed;
}

function dialectOf(path: string): Dialect | undefined {
  if (path.endsWith("/messages")) return anthropic;
  if (path.endsWith("/chat/completions")) return openAiChat;
  if (path.endsWith("/responses")) return openAiResponses;
  return /:(?:streamGenerateContent|generateContent)$/.test(path) ? gemini : undefined;
}

async function respond(
  incoming: IncomingMessage,
  response: ServerResponse,
  play: (request: ModelRequest) => { readonly reply: ReturnType<ModelScript>; readonly id: string },
): Promise<void> {
  const [path = ""] = (incoming.url ?? "").split("?");
  const text = await bodyOf(incoming);
  if (text === undefined)
    return send(response, 413, {
      error: { message: `The body of a request may have at most ${REQUEST_LIMIT} bytes.` },
    });
  if (path.endsWith("/count_tokens")) return send(response, 200, { input_tokens: 1 });
  if (path.endsWith(":countTokens")) return send(response, 200, { totalTokens: 1 });
  const dialect = dialectOf(path);
  if (incoming.method !== "POST" || !dialect)
    return send(response, incoming.method === "GET" ? 200 : 404, { data: [] });
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return send(response, 400, dialect.error(400, "The body of the request is not JSON."));
  }
  if (!isJsonObject(body)) return send(response, 400, dialect.error(400, "The body of the request is not an object."));
  const request = dialect.read(body, path);
  const { reply, id } = play(request);
  if (reply.error) return send(response, reply.error.status, dialect.error(reply.error.status, reply.error.message));
  if (!request.stream) return send(response, 200, dialect.whole(request, reply, id));
  response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
  for (const frame of dialect.frames(request, reply, id)) {
    if (response.destroyed) return;
    response.write(frame.text);
    if (frame.isText && reply.everyMs) await pause(reply.everyMs, response);
  }
  response.end();
}

/** Resolves after `ms` milliseconds, or earlier if the program closes the connection. */
function pause(ms: number, response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      response.off("close", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    response.on("close", end);
  });
}

async function bodyOf(incoming: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > REQUEST_LIMIT) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function send(response: ServerResponse, status: number, body: Json): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
