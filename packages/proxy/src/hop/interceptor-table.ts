import { InvalidOptionError } from "@acp-kit/jsonrpc";
import { isJsonObject } from "@acp-kit/jsonrpc/internal";
import { nearestName } from "@acp-kit/protocol/internal";
import {
  agentNotifications,
  agentRequests,
  clientNotifications,
  clientRequests,
  isKnownSessionUpdate,
} from "@acp-kit/types";
import { ownMember, type Side } from "./side.js";

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
  /** Returns whether all messages of a method are intercepted. */
  has(method: string): boolean;
}

/** The methods that each side sends. */
const sentRequests: Record<Side, Readonly<Record<string, unknown>>> = {
  client: agentRequests,
  // The protocol does not define the last two, but some agents call them: see `fileExtensions`.
  agent: { ...clientRequests, "fs/delete_file": {}, "fs/rename_file": {} },
};
const sentNotifications: Record<Side, Readonly<Record<string, unknown>>> = {
  client: agentNotifications,
  agent: clientNotifications,
};

const UPDATE = "session/update";

/**
 * Checks the interceptors of the messages that `from` sends.
 *
 * @throws {InvalidOptionError}
 */
export function interceptorTable(from: Side, given: object): InterceptorTable {
  const option = from === "client" ? "fromClient" : "fromAgent";
  if (!isJsonObject(given)) throw new InvalidOptionError("createProxy", option, "must be an object");
  const methods = new Map<string, Interceptor>();
  const kinds = new Map<string, Interceptor>();
  for (const [method, value] of Object.entries(given)) {
    if (value === undefined) continue;
    checkMethod(from, option, method);
    const form = formOf(from, method);
    if (method === UPDATE && isJsonObject(value) && !("intercept" in value)) {
      for (const [kind, intercept] of Object.entries(value)) {
        if (intercept === undefined) continue;
        const path = `${option}.${UPDATE}.${kind}`;
        if (kind !== "*" && !kind.startsWith("_") && !isKnownSessionUpdate({ sessionUpdate: kind } as never))
          throw new InvalidOptionError("createProxy", path, "is not a kind of update");
        kinds.set(kind, interceptorOf(path, intercept, form));
      }
    } else methods.set(method, interceptorOf(`${option}.${method}`, value, form));
  }
  const others = methods.get("*");
  const updates = kinds.get("*") ?? others;
  return {
    isEmpty: methods.size === 0 && kinds.size === 0,
    find(method, message) {
      if (kinds.size > 0 && method === UPDATE) return kinds.get(kindOf(message.params)) ?? updates;
      return methods.get(method) ?? others;
    },
    has: (method) => methods.has(method) || others !== undefined,
  };
}

function kindOf(params: unknown): string {
  const update = isJsonObject(params) ? params.update : undefined;
  const kind = isJsonObject(update) ? update.sessionUpdate : undefined;
  return typeof kind === "string" ? kind : "";
}

function formOf(from: Side, method: string): Interceptor["form"] {
  if (ownMember(sentRequests[from], method) !== undefined) return "request";
  return ownMember(sentNotifications[from], method) === undefined ? undefined : "notification";
}

function interceptorOf(path: string, value: unknown, form: Interceptor["form"]): Interceptor {
  if (typeof value === "function") return { intercept: value as Intercept, isFree: false, form };
  if (isJsonObject(value) && typeof value.intercept === "function" && value.order === "free" && form !== "notification")
    return { intercept: value.intercept as Intercept, isFree: true, form };
  throw new InvalidOptionError(
    "createProxy",
    path,
    'must be a function or, for requests, { order: "free", intercept: a function }',
  );
}

function checkMethod(from: Side, option: string, method: string): void {
  if (method === "*" || method.startsWith("_") || formOf(from, method) !== undefined) return;
  const other = from === "client" ? "agent" : "client";
  if (formOf(other, method) !== undefined) {
    const right = other === "client" ? "fromClient" : "fromAgent";
    throw new InvalidOptionError(
      "createProxy",
      `${option}.${method}`,
      `is sent by the ${other}: move it to "${right}"`,
    );
  }
  const names = [...Object.keys(sentRequests[from]), ...Object.keys(sentNotifications[from])];
  throw new InvalidOptionError(
    "createProxy",
    `${option}.${method}`,
    "is not a method of the protocol",
    nearestName(method, names),
  );
}
