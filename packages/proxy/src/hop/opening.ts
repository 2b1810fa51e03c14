import type { RequestMessage, ResponseMessage } from "@acp-kit/jsonrpc";
import type { ErrorObject } from "@acp-kit/jsonrpc/internal";
import { isJsonObject, type JsonObject } from "@acp-kit/jsonrpc/internal";
import type { OpenedProxy } from "../create-proxy.js";
import type { HopErrors } from "../hop-error.js";
import { capabilityChange, isOffered } from "./capability-gates.js";
import type { Side } from "./side.js";
import type { VersionRules } from "./version-rules.js";

/** The member of `_meta` in the result of `initialize` that lists the proxies of a chain. */
const PROXIES = "acp-kit/proxies";

/** Thrown when `initialize` can't succeed. */
export class OpeningError extends Error {
  readonly error: ErrorObject;

  constructor(error: ErrorObject) {
    super(error.message);
    this.error = error;
  }
}

/** The members of `initialize` that a proxy never changes. */
const fixedMembers = ["protocolVersion", "clientInfo", "agentInfo", "info"];

/** What both sides said in `initialize`, and what a proxy makes of it. */
export class Opening {
  readonly #proxy: OpenedProxy;
  readonly #errors: HopErrors;
  /** The capabilities that each side advertised in each version. */
  readonly #advertised: Record<Side, Map<VersionRules, unknown>> = { client: new Map(), agent: new Map() };
  /** The methods that each side offers in each version and the proxy has removed. */
  readonly #removed: Record<Side, Map<VersionRules, ReadonlySet<string>>> = { client: new Map(), agent: new Map() };
  #rules: VersionRules;
  /** The error of everything that is sent after the agent has chosen a version that the proxy does not support. */
  refusal: ErrorObject | undefined;
  /** Whether the agent has accepted `initialize`. */
  isDone = false;
  /** Whether the params and results have the types of the version that interceptors know. */
  #isKnownVersion = true;

  constructor(proxy: OpenedProxy, errors: HopErrors) {
    this.#proxy = proxy;
    this.#errors = errors;
    this.#rules = proxy.versions[0];
  }

  /** The rules of the version that the agent has chosen; before, of the highest one that the client offers. */
  get rules(): VersionRules {
    return this.#rules;
  }

  /** The same rules; `undefined` if the agent has chosen a version that the proxy does not know. */
  get known(): VersionRules | undefined {
    return this.#isKnownVersion ? this.#rules : undefined;
  }

  /** Returns the rules of a version. */
  rulesOf(version: unknown): VersionRules | undefined {
    return this.#proxy.versions.find(({ protocol }) => protocol.version === version);
  }

  /** Called with the params of `initialize` before an interceptor gets them. */
  offered(params: unknown): void {
    const version = isJsonObject(params) ? params.protocolVersion : undefined;
    if (typeof version !== "number") return;
    for (const rules of this.#proxy.versions) if (rules.protocol.version <= version) this.#rules = rules;
  }

  /** Whether the proxy hides this method of a side. */
  isRemoved(side: Side, method: string): boolean {
    return this.#removed[side].get(this.#rules)?.has(method) === true;
  }

  /** Whether a side advertised the capability that a method needs. Before `initialize`, every method is offered. */
  offers(side: Side, method: string): boolean {
    const advertised = this.#advertised[side].get(this.#rules);
    return advertised === undefined || isOffered(this.#rules.protocol, side, method, advertised);
  }

  /**
   * Returns the `initialize` that the agent gets. A client that offers several versions advertises the capabilities of
   * each of them, in members of different names.
   *
   * @param received the params that the client sent, whose version and name are never changed.
   */
  request(message: RequestMessage, received: unknown): RequestMessage {
    const params = isJsonObject(message.params) ? message.params : {};
    const original = isJsonObject(received) ? received : {};
    const shown = this.#proxy.versions
      .filter((rules) => rules === this.#rules || rules.protocol.version < this.#rules.protocol.version)
      .map((rules) => this.#shown(rules, "client", original, params));
    return { ...message, params: Object.assign({}, params, restored(original), ...shown) };
  }

  /**
   * Returns the response to `initialize` that the client gets.
   *
   * @param received the result that the agent sent; `undefined` if the proxy itself responds.
   */
  response(message: ResponseMessage, received: unknown): ResponseMessage {
    if ("error" in message || !isJsonObject(message.result)) return message;
    const original = isJsonObject(received) ? received : message.result;
    const result: Record<string, unknown> = { ...message.result, ...restored(original) };
    this.#choose(result.protocolVersion);
    Object.assign(result, this.#shown(this.#rules, "agent", original, result));
    const meta = isJsonObject(result._meta) ? result._meta : {};
    const { name, version } = this.#proxy.info;
    const others: readonly unknown[] = Array.isArray(meta[PROXIES]) ? meta[PROXIES] : [];
    result._meta = { ...meta, [PROXIES]: [{ name, version }, ...others] };
    this.isDone = true;
    return { ...message, result };
  }

  #choose(version: unknown): void {
    const rules = this.rulesOf(version);
    this.#isKnownVersion = rules !== undefined;
    this.#rules = rules ?? this.#rules;
    this.refusal = undefined;
    if (rules !== undefined || this.#proxy.passUnknownVersions) return;
    const chosen = typeof version === "number" ? `version ${version} of the protocol` : "an unknown version";
    const supported = this.#proxy.versions.map(({ protocol }) => protocol.version).join(" and ");
    this.refusal = this.#errors.object(
      -32603,
      `The ACP proxy "${this.#errors.name}" supports version ${supported}, but the agent chose ${chosen}`,
      "version",
    );
    throw new OpeningError(this.refusal);
  }

  /**
   * Returns the member with the capabilities that the other side sees.
   *
   * @param advertised the params or result that `side` sent.
   * @param current the same object after the interceptors of `initialize`.
   */
  #shown(rules: VersionRules, side: Side, advertised: JsonObject, current: JsonObject): JsonObject {
    const member = rules.protocol.capabilityMembers[side];
    const own = Object.hasOwn(advertised, member) ? advertised[member] : undefined;
    const given = Object.hasOwn(current, member) ? current[member] : undefined;
    this.#advertised[side].set(rules, own ?? {});
    const change = rules.changes[side];
    const shown = change === undefined ? given : change(structuredClone(isJsonObject(given) ? given : {}) as never);
    const { removed, missing } = capabilityChange(rules, side, own, shown);
    this.#removed[side].set(rules, removed);
    if (missing !== undefined) {
      const message = `The ACP proxy "${this.#errors.name}" adds a capability without an interceptor of ${missing}`;
      throw new OpeningError(this.#errors.object(-32603, message, "proxy_failed"));
    }
    return shown === undefined ? {} : { [member]: shown };
  }
}

function restored(from: JsonObject): JsonObject {
  return Object.fromEntries(fixedMembers.filter((name) => Object.hasOwn(from, name)).map((name) => [name, from[name]]));
}
