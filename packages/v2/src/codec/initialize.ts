import type * as v1 from "@acp-kit/types";
import type * as v2 from "@acp-kit/types/v2";
import { authMethodsToV1, authMethodsToV2 } from "./auth-methods.js";
import {
  agentCapabilitiesToV1,
  agentCapabilitiesToV2,
  clientCapabilitiesToV1,
  clientCapabilitiesToV2,
} from "./capabilities.js";
import { isObject, present } from "./objects.js";

/** The name and version of a peer of version 1 that sent none. Version 2 requires them. */
export const unknownPeer: v2.Implementation = { name: "unknown", version: "unknown" };

/** Params of `initialize` that satisfy the schemas of both versions: neither of them forbids more members. */
export type InitializeForBoth = v1.InitializeRequest & v2.InitializeRequest;

/**
 * Adds the members of version 2 to the `initialize` of a client of version 1. The agent chooses: the members of version
 * 1 are unchanged, so an agent that chooses 1 knows everything that the client offers.
 *
 * @see https://agentclientprotocol.com/protocol/v2/initialization#version-negotiation
 */
export function initializeFromV1(params: v1.InitializeRequest, protocolVersion: number): InitializeForBoth {
  // Nothing is lost if it chooses 1
  const capabilities = clientCapabilitiesToV2(params.clientCapabilities ?? {}, () => {});
  return { ...params, protocolVersion, info: params.clientInfo ?? unknownPeer, capabilities };
}

/** Adds the members of version 1 to the `initialize` of a client of version 2. */
export function initializeFromV2(params: v2.InitializeRequest, protocolVersion: number): InitializeForBoth {
  const clientCapabilities = clientCapabilitiesToV1(params.capabilities ?? {});
  return { ...params, protocolVersion, clientInfo: params.info, clientCapabilities };
}

/**
 * Returns whether the result of `initialize` is really of version 2. Agents of version 1 exist that repeat the
 * requested number; their result has no `info`, or has the capabilities of version 1.
 */
export function isV2Result(result: unknown): boolean {
  return isObject(result) && result.protocolVersion === 2 && isObject(result.info) && !("agentCapabilities" in result);
}

/** Converts the result of an agent of version 2. */
export function initializeResultToV1(result: v2.IncomingInitializeResponse): v1.InitializeResponse {
  const { info, capabilities, authMethods = [], _meta } = result;
  return {
    protocolVersion: 1,
    agentInfo: info,
    agentCapabilities: agentCapabilitiesToV1(capabilities ?? {}, authMethods.length > 0),
    authMethods: authMethodsToV1(authMethods),
    ...present({ _meta }),
  };
}

/** Converts the result of an agent of version 1. */
export function initializeResultToV2(result: v1.IncomingInitializeResponse): v2.InitializeResponse {
  const { agentInfo, agentCapabilities, authMethods = [], _meta } = result;
  return {
    protocolVersion: 2,
    info: agentInfo ?? unknownPeer,
    capabilities: agentCapabilitiesToV2(agentCapabilities ?? {}),
    ...(authMethods.length > 0 && { authMethods: authMethodsToV2(authMethods) }),
    ...present({ _meta }),
  };
}
