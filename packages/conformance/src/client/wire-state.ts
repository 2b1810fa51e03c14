import { clientRequests, type MethodInfo } from "@acp-kit/types";
import { createsSession } from "../wire/conversation.js";
import { asText, entryOf, isObject, type Json, member } from "../wire/values.js";
import { type Call, keyOf, type WireEvent } from "./wire-event.js";

/** A session, as described by the agent's response and by later changes of its options. */
export interface KnownSession {
  /** The `cwd` and `additionalDirectories` of the request that opened the session, if they are texts. */
  readonly roots: readonly string[];
  readonly modes: readonly string[] | undefined;
  /** The latest `configOptions`, not validated. */
  readonly configOptions: readonly unknown[] | undefined;
}

/** The state of one connection. Each message is checked against the rules before it changes the state. */
export class WireState {
  /** Requests of the client without a response yet. */
  readonly openFromClient: Map<string, Call> = new Map();
  /** Requests of the agent without a response yet. */
  readonly openFromAgent: Map<string, Call> = new Map();
  /** Keys of the agent's requests that have a response. */
  readonly closedFromAgent: Set<string> = new Set();
  readonly sessions: Map<string, KnownSession> = new Map();
  /** Every cursor that the agent has sent. */
  readonly cursors: Set<string> = new Set();
  initializeSent = false;
  /** The capabilities that the client has advertised, not validated. */
  clientCapabilities: unknown;
  /** The result of `initialize`, once it has been sent. */
  initialized: Json | undefined;

  /** Returns a capability that the agent has advertised, by its path inside `agentCapabilities`. */
  agentCapability(path: string): unknown {
    return member(this.initialized, "agentCapabilities", ...path.split("."));
  }

  /** Returns whether the agent has advertised a capability: its value is `true` or an object. */
  advertised(path: string): boolean {
    const value = this.agentCapability(path);
    return value === true || isObject(value);
  }

  /** Returns whether the client has advertised the capability that a method needs; `true` if the method needs none. */
  opensMethod(method: string): boolean {
    const gates = entryOf<MethodInfo>(clientRequests, method)?.capability;
    if (!gates) return true;
    return gates.some((gate) => {
      const value = member(this.clientCapabilities, ...gate.split(".").slice(1));
      return value === true || isObject(value);
    });
  }

  /** Returns the types of the login methods that the agent listed, by id. */
  loginMethods(): ReadonlyMap<unknown, unknown> {
    const methods = member(this.initialized, "authMethods");
    return new Map(
      Array.isArray(methods) ? methods.map((method) => [member(method, "id"), member(method, "type")]) : [],
    );
  }

  /** Returns the open prompt of a session, if there is one. */
  openPrompt(sessionId: unknown): Call | undefined {
    return [...this.openFromClient.values()].find(
      ({ method, params }) => method === "session/prompt" && member(params, "sessionId") === sessionId,
    );
  }

  clientSent(event: WireEvent): void {
    if (event.kind === "request") {
      if (event.call.method === "initialize") {
        this.initializeSent = true;
        this.clientCapabilities = member(event.call.params, "clientCapabilities");
      }
      this.openFromClient.set(keyOf(event.call.id), event.call);
    } else if (event.kind === "response") {
      const key = keyOf(event.message.id);
      if (this.openFromAgent.delete(key)) this.closedFromAgent.add(key);
    }
  }

  agentSent(message: Json): void {
    const key = keyOf(message.id);
    if (typeof message.method === "string") {
      if (message.method === "session/update") {
        this.#setOptions(member(message.params, "sessionId"), member(message.params, "update", "configOptions"));
      }
      if (!("id" in message)) return;
      this.openFromAgent.set(key, { id: message.id, method: message.method, params: message.params });
      this.closedFromAgent.delete(key);
      return;
    }
    const call = this.openFromClient.get(key);
    if (!call) return;
    this.openFromClient.delete(key);
    if (isObject(message.result)) this.#applyResult(call, message.result);
  }

  #setOptions(sessionId: unknown, configOptions: unknown): void {
    const session = this.sessions.get(asText(sessionId));
    if (session && Array.isArray(configOptions)) this.sessions.set(asText(sessionId), { ...session, configOptions });
  }

  #applyResult(call: Call, result: Json): void {
    if (call.method === "initialize") this.initialized = result;
    if (call.method === "session/set_config_option")
      this.#setOptions(member(call.params, "sessionId"), result.configOptions);
    if (call.method === "session/list" && typeof result.nextCursor === "string") this.cursors.add(result.nextCursor);
    const isNew = createsSession.has(call.method);
    if (!isNew && call.method !== "session/load" && call.method !== "session/resume") return;
    const sessionId = isNew ? result.sessionId : member(call.params, "sessionId");
    const modes = member(result, "modes", "availableModes");
    if (typeof sessionId !== "string") return;
    const { cwd, additionalDirectories = [] } = isObject(call.params) ? call.params : {};
    const roots = [cwd, additionalDirectories].flat().filter((root): root is string => typeof root === "string");
    this.sessions.set(sessionId, {
      roots,
      modes: Array.isArray(modes) ? modes.map((mode) => asText(member(mode, "id"))) : undefined,
      configOptions: Array.isArray(result.configOptions) ? result.configOptions : undefined,
    });
  }
}
