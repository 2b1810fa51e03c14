import type { DialogueLog } from "../dialogue.js";
import type { Evidence } from "../finding.js";
import type { Scenario, ScenarioContext } from "../scenario.js";
import type { Finding } from "../verdict.js";
import { isObject, type Json, jsonText } from "../wire/values.js";
import type { HttpReply, HttpVersion, RemoteLink } from "./remote-link.js";

/** A scenario that tests the remote transports of a server. */
export type RemoteScenario = Scenario<RemoteContext>;

/** The features of a server, which the kit determines before the scenarios run. */
export interface RemoteFacts {
  /** The version of HTTP for streamable HTTP; `undefined` if the server does not offer that profile. */
  readonly http?: HttpVersion;
  /** The response to `initialize` over HTTP that shows that the server does not offer streamable HTTP, for display. */
  readonly withoutHttp?: string;
  readonly webSocket: boolean;
  /** Whether the address is `https:` or `wss:`. */
  readonly isSecure: boolean;
  /** Why nothing can be tested: credentials are missing, or no server responds. */
  readonly blocked?: string;
}

/** The time limits of scenarios, and the params of their sessions and prompts. */
export interface RemoteLimits {
  /** The limit for a response, in milliseconds. */
  readonly requestTimeoutMs: number;
  /** The limit for a turn, in milliseconds. */
  readonly turnTimeoutMs: number;
  /** How long to wait for messages that must not come, in milliseconds. */
  readonly quietMs: number;
  /** The working directory of sessions, on the machine of the agent. */
  readonly cwd: string;
  /** A prompt that makes the agent send some text. */
  readonly prompt: string;
}

/** The names of the two HTTP headers of ACP. */
export const connectionHeader = "acp-connection-id";
export const sessionHeader = "acp-session-id";

/** The dependencies of a {@link RemoteContext}. */
export interface RemoteContextParts {
  readonly link: RemoteLink;
  readonly log: DialogueLog;
  readonly facts: RemoteFacts;
  readonly limits: RemoteLimits;
  readonly reporting: ScenarioContext;
}

/** A conversation with a server over raw HTTP and WebSocket. */
export class RemoteContext implements ScenarioContext {
  readonly link: RemoteLink;
  readonly log: DialogueLog;
  readonly facts: RemoteFacts;
  readonly limits: RemoteLimits;
  readonly note: ScenarioContext["note"];
  readonly fail: ScenarioContext["fail"];
  readonly expect: ScenarioContext["expect"];
  readonly skip: ScenarioContext["skip"];
  readonly inconclusive: ScenarioContext["inconclusive"];
  #nextId = 1;

  constructor({ link, log, facts, limits, reporting }: RemoteContextParts) {
    this.link = link;
    this.log = log;
    this.facts = facts;
    this.limits = limits;
    this.note = reporting.note;
    this.fail = reporting.fail;
    this.expect = reporting.expect;
    this.skip = reporting.skip;
    this.inconclusive = reporting.inconclusive;
  }

  /** Creates a JSON-RPC request with a new id. */
  rpc(method: string, params: object): Json {
    return { jsonrpc: "2.0", id: this.#nextId++, method, params };
  }

  /** Creates a request that opens a session. */
  newSessionRequest(): Json {
    return this.rpc("session/new", { cwd: this.limits.cwd, mcpServers: [] });
  }

  /** Creates a prompt that makes the agent send some text. */
  promptRequest(sessionId: string): Json {
    return this.rpc("session/prompt", { sessionId, prompt: [{ type: "text", text: this.limits.prompt }] });
  }

  initializeRequest(): Json {
    const clientInfo = { name: "acp-kit-conformance", version: "1.0.0" };
    return this.rpc("initialize", { protocolVersion: 1, clientCapabilities: {}, clientInfo });
  }

  /** Sends a JSON-RPC message by POST. Its content type is `application/json` unless `headers` has another one. */
  post(message: unknown, headers: Readonly<Record<string, string>> = {}, version?: HttpVersion): Promise<HttpReply> {
    const body = typeof message === "string" ? message : JSON.stringify(message);
    const all = { "content-type": "application/json", ...headers };
    return this.link.request({ method: "POST", headers: all, body }, version);
  }

  /**
   * Opens a connection over streamable HTTP, as the control of a scenario, and returns its headers. The scenario is
   * inconclusive if that fails, because `http/initialize` reports the failure.
   */
  async openConnection(): Promise<Readonly<Record<string, string>>> {
    const { status, headers } = await this.post(this.initializeRequest());
    const id = headers[connectionHeader];
    if (status !== 200 || id === undefined) {
      this.inconclusive(`initialize itself gets ${status}${id === undefined ? " without Acp-Connection-Id" : ""}`);
    }
    return { [connectionHeader]: id };
  }

  /** Adds a finding if the reply has another status than the expected one, and continues. */
  expectStatus(rule: string, reply: HttpReply, status: number, evidence: Pick<Evidence, "sent" | "explanation">): void {
    if (reply.status === status) return;
    this.note(rule, { ...evidence, received: replyText(reply), where: this.at(reply.seq) });
  }

  /** Ends the scenario, because a message may only be late: slowness breaks no rule. */
  late(what: string, limitMs: number): never {
    return this.inconclusive(`too slow for these limits: no ${what} within ${limitMs / 1000} s`);
  }

  at(...seqs: readonly number[]): NonNullable<Finding["where"]> {
    return { dialogue: this.log.name, seqs };
  }
}

/** Describes a reply for a finding: its status, and the beginning of its body. */
export function replyText({ status, body }: HttpReply): string {
  return body === "" ? `status ${status}` : `status ${status}, with the body ${body.slice(0, 200)}`;
}

/** Returns the JSON-RPC message in a text, or `undefined` if the text is not one. */
export function messageIn(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && value.jsonrpc === "2.0" ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns whether a text is the JSON-RPC response to a request, with the same id in value and type. */
export function respondsTo(text: string, request: Json): boolean {
  const message = messageIn(text);
  const hasOutcome = message !== undefined && ("result" in message || "error" in message);
  return hasOutcome && jsonText(message.id) === jsonText(request.id);
}
