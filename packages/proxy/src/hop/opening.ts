import type { RequestMessage, ResponseMessage } from "@acp-kit/jsonrpc";
import type { ErrorObject } from "@acp-kit/jsonrpc/internal";
import { isJsonObject, type JsonObject } from "@acp-kit/jsonrpc/internal";
import type { AgentCapabilities, ClientCapabilities } from "@acp-kit/types";
import type { OpenedProxy } from "../create-proxy.js";
import type { HopErrors } from "../hop-error.js";
import { gateChange, isOffered } from "./capability-gates.js";
import type { Side } from "./side.js";

/** The member of `_meta` in the result of `initialize` that lists the proxies of a chain. */
const PROXIES = "acp-kit/proxies";

/** The version of the protocol that interceptors know. */
const SUPPORTED_VERSION = 1;

/** Thrown when `initialize` can't succeed. */
export class OpeningError extends Error {
  readonly error: ErrorObject;

  constructor(error: ErrorObject) {
    super(error.message);
    this.error = error;
  }
}

/** What both sides said in `initialize`, and what a proxy makes of it. */
export class Opening {
  readonly #proxy: OpenedProxy;
  readonly #errors: HopErrors;
  /** The capabilities that each side advertised. */
  readonly #advertised: Record<Side, unknown> = { client: undefined, agent: undefined };
  /** The methods that each side offers and the proxy has removed. */
  readonly #removed: Record<Side, ReadonlySet<string>> = { client: new Set(), agent: new Set() };
  /** The error of everything that is sent after the agent has chosen a version that the proxy does not support. */
  refusal: ErrorObject | undefined;
  /** Whether the params and results have the types of the version that interceptors know. */
  isKnownVersion = true;

  constructor(proxy: OpenedProxy, errors: HopErrors) {
    this.#proxy = proxy;
    this.#errors = errors;
  }

  /** Whether the proxy hides this method of a side. */
  isRemoved(side: Side, method: string): boolean {
    return this.#removed[side].has(method);
  }

  /** Whether a side advertised the capability that a method needs. Before `initialize`, every method is offered. */
  offers(side: Side, method: string): boolean {
    return this.#advertised[side] === undefined || isOffered(side, method, this.#advertised[side]);
  }

  /**
   * Returns the `initialize` that the agent gets.
   *
   * @param received the params that the client sent, whose version and name are never changed.
   */
  request(message: RequestMessage, received: unknown): RequestMessage {
    const params = isJsonObject(message.params) ? message.params : {};
    const original = isJsonObject(received) ? received : {};
    const shown = this.#shown("client", original.clientCapabilities, params.clientCapabilities);
    return {
      ...message,
      params: {
        ...params,
        ...restored(original, ["protocolVersion", "clientInfo"]),
        ...(shown !== undefined && { clientCapabilities: shown }),
      },
    };
  }

  /**
   * Returns the response to `initialize` that the client gets.
   *
   * @param received the result that the agent sent; `undefined` if the proxy itself responds.
   */
  response(message: ResponseMessage, received: unknown): ResponseMessage {
    if ("error" in message || !isJsonObject(message.result)) return message;
    const original = isJsonObject(received) ? received : message.result;
    const result: Record<string, unknown> = {
      ...message.result,
      ...restored(original, ["protocolVersion", "agentInfo"]),
    };
    this.#checkVersion(result.protocolVersion);
    const shown = this.#shown("agent", original.agentCapabilities, result.agentCapabilities);
    if (shown !== undefined) result.agentCapabilities = shown;
    const meta = isJsonObject(result._meta) ? result._meta : {};
    const { name, version } = this.#proxy.info;
    const others: readonly unknown[] = Array.isArray(meta[PROXIES]) ? meta[PROXIES] : [];
    result._meta = { ...meta, [PROXIES]: [{ name, version }, ...others] };
    return { ...message, result };
  }

  #checkVersion(version: unknown): void {
    this.isKnownVersion = version === SUPPORTED_VERSION;
    this.refusal = undefined;
    if (this.isKnownVersion || this.#proxy.passUnknownVersions) return;
    const chosen = typeof version === "number" ? `version ${version} of the protocol` : "an unknown version";
    this.refusal = this.#errors.object(
      -32603,
      `The ACP proxy "${this.#errors.name}" supports version ${SUPPORTED_VERSION}, but the agent chose ${chosen}`,
      "version",
    );
    throw new OpeningError(this.refusal);
  }

  /**
   * Returns the capabilities that the other side sees.
   *
   * @param advertised the capabilities that `side` sent.
   * @param current the same capabilities after the interceptors of `initialize`.
   */
  #shown(side: Side, advertised: unknown, current: unknown): unknown {
    this.#advertised[side] = advertised ?? {};
    const given = isJsonObject(current) ? current : {};
    const { agentCapabilities, clientCapabilities } = this.#proxy;
    const change = side === "agent" ? agentCapabilities : clientCapabilities;
    const shown =
      change === undefined ? current : change(structuredClone(given) as AgentCapabilities & ClientCapabilities);
    const { removed, added } = gateChange(side, advertised, shown);
    this.#removed[side] = removed;
    const table = side === "agent" ? this.#proxy.client : this.#proxy.agent;
    const missing = added.find((method) => !table.has(method));
    if (missing !== undefined) {
      const message = `The ACP proxy "${this.#errors.name}" adds a capability without an interceptor of ${missing}`;
      throw new OpeningError(this.#errors.object(-32603, message, "proxy_failed"));
    }
    return shown;
  }
}

function restored(from: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.filter((name) => Object.hasOwn(from, name)).map((name) => [name, from[name]]));
}
