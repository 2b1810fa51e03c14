import type * as v1 from "@acp-kit/types";
import type * as v2 from "@acp-kit/types/v2";
import { isObject, type JsonObject } from "./objects.js";

/** The types of login methods with different tags: `env_var` is unstable in version 1, and no type of version 2. */
const v2Types: ReadonlyMap<string, string> = new Map([["env_var", "_env_var"]]);
const v1Types: ReadonlyMap<string, string> = new Map([["_env_var", "env_var"]]);

/**
 * Converts login methods of version 1. In version 2 the id is `methodId`, `type` is required, and the variables of a
 * terminal method are a list.
 *
 * @see https://agentclientprotocol.com/protocol/v2/authentication
 */
export function authMethodsToV2(methods: readonly v1.IncomingAuthMethod[]): v2.AuthMethod[] {
  return methods.map((method) => {
    const { id, type, ...rest } = method as JsonObject;
    const converted: JsonObject = {
      ...rest,
      methodId: id,
      type: typeof type === "string" ? (v2Types.get(type) ?? type) : "agent",
    };
    if (type === "terminal" && isObject(rest.env))
      converted.env = Object.entries(rest.env).map(([name, value]) => ({ name, value }));
    return converted as unknown as v2.AuthMethod;
  });
}

/** Converts login methods of version 2. A method of type `agent` has no `type` in version 1. */
export function authMethodsToV1(methods: readonly v2.IncomingAuthMethod[]): v1.AuthMethod[] {
  return methods.map((method) => {
    const { methodId, type, ...rest } = method as unknown as JsonObject;
    const converted: JsonObject = { ...rest, id: methodId };
    if (type !== "agent") converted.type = v1Types.get(String(type)) ?? type;
    if (type === "terminal" && Array.isArray(rest.env))
      converted.env = Object.fromEntries((rest.env as v2.EnvVariable[]).map(({ name, value }) => [name, value]));
    return converted as unknown as v1.AuthMethod;
  });
}
