import { InvalidOptionError } from "@acp-kit/jsonrpc";
import { isJsonObject } from "@acp-kit/jsonrpc/internal";
import { nearestName } from "@acp-kit/protocol/internal";
import type { ProtocolVersion } from "./protocol-version.js";
import type { Side } from "./side.js";

/** An interceptor of any method, without its types. */
export type Intercept = (message: never, next: never) => unknown;

/** An interceptor, and whether later messages of its session overtake it. */
export interface Interceptor {
  readonly intercept: Intercept;
  readonly isFree: boolean;
  /** The form of message that the method has; `undefined` for methods that the protocol does not define. */
  readonly form: "request" | "notification" | undefined;
}

/** The interceptors of the messages that one side sends. */
export interface InterceptorTable {
  readonly isEmpty: boolean;
  /** Returns the interceptor of a message. */
  find(method: string, message: { readonly params?: unknown }): Interceptor | undefined;
  /** Returns whether there is an interceptor for some messages of a method. */
  selects(method: string): boolean;
  /** Returns whether all messages of a method are intercepted. */
  has(method: string): boolean;
}

const UPDATE = "session/update";

/**
 * Checks the interceptors of the messages that `from` sends.
 *
 * @param caller the function whose option they are.
 * @throws {InvalidOptionError}
 */
export function interceptorTable(
  caller: string,
  protocol: ProtocolVersion,
  from: Side,
  given: object,
): InterceptorTable {
  const option = from === "client" ? "fromClient" : "fromAgent";
  if (!isJsonObject(given)) throw new InvalidOptionError(caller, option, "must be an object");
  const methods = new Map<string, Interceptor>();
  const kinds = new Map<string, Interceptor>();
  for (const [method, value] of Object.entries(given)) {
    if (value === undefined) continue;
    checkMethod(caller, protocol, from, option, method);
    const form = formOf(protocol, from, method);
    const interceptorOf = (name: string, value: unknown): Interceptor => {
      const intercept = interceptorIn(value, form);
      if (intercept !== undefined) return { ...intercept, form };
      const problem = 'must be a function or, for requests, { order: "free", intercept: a function }';
      throw new InvalidOptionError(caller, `${option}.${name}`, problem);
    };
    if (method === UPDATE && isJsonObject(value) && !("intercept" in value)) {
      for (const [kind, intercept] of Object.entries(value)) {
        if (intercept === undefined) continue;
        const name = `${UPDATE}.${kind}`;
        if (kind !== "*" && !kind.startsWith("_") && !protocol.isKnownUpdate({ sessionUpdate: kind } as never))
          throw new InvalidOptionError(caller, `${option}.${name}`, "is not a kind of update");
        kinds.set(kind, interceptorOf(name, intercept));
      }
    } else methods.set(method, interceptorOf(method, value));
  }
  const others = methods.get("*");
  const updates = kinds.get("*") ?? others;
  return {
    isEmpty: methods.size === 0 && kinds.size === 0,
    find(method, message) {
      if (kinds.size > 0 && method === UPDATE) return kinds.get(kindOf(message.params)) ?? updates;
      return methods.get(method) ?? others;
    },
    selects: (method) => methods.has(method) || others !== undefined || (kinds.size > 0 && method === UPDATE),
    has: (method) => methods.has(method) || others !== undefined,
  };
}

function kindOf(params: unknown): string {
  const update = isJsonObject(params) ? params.update : undefined;
  const kind = isJsonObject(update) ? update.sessionUpdate : undefined;
  return typeof kind === "string" ? kind : "";
}

function formOf({ requests, notifications }: ProtocolVersion, from: Side, method: string): Interceptor["form"] {
  if (Object.hasOwn(requests[from], method)) return "request";
  return Object.hasOwn(notifications[from], method) ? "notification" : undefined;
}

function interceptorIn(value: unknown, form: Interceptor["form"]): Omit<Interceptor, "form"> | undefined {
  if (typeof value === "function") return { intercept: value as Intercept, isFree: false };
  const isFree =
    isJsonObject(value) && typeof value.intercept === "function" && value.order === "free" && form !== "notification";
  return isFree ? { intercept: value.intercept as Intercept, isFree } : undefined;
}

function checkMethod(caller: string, protocol: ProtocolVersion, from: Side, option: string, method: string): void {
  if (method === "*" || method.startsWith("_") || formOf(protocol, from, method) !== undefined) return;
  const other = from === "client" ? "agent" : "client";
  const path = `${option}.${method}`;
  if (formOf(protocol, other, method) !== undefined) {
    const right = other === "client" ? "fromClient" : "fromAgent";
    throw new InvalidOptionError(caller, path, `is sent by the ${other}: move it to "${right}"`);
  }
  const names = [...Object.keys(protocol.requests[from]), ...Object.keys(protocol.notifications[from])];
  const problem = `is not a method of version ${protocol.version} of the protocol`;
  throw new InvalidOptionError(caller, path, problem, nearestName(method, names));
}
