import type {
  AvailableCommand,
  IncomingSessionConfigOption,
  RequestPermissionRequest,
  SessionModeState,
} from "@acp-kit/types";
import {
  decodeLoadSessionResponse,
  decodeRequestPermissionRequest,
  decodeSetSessionConfigOptionResponse,
} from "@acp-kit/types/decode";
import {
  decodeSetSessionConfigOptionResponse as decodeV2Options,
  decodeRequestPermissionRequest as decodeV2Permission,
  decodeResumeSessionResponse as decodeV2Setup,
} from "@acp-kit/types/v2/decode";
import { initializeResultToV1, isV2Result, openedToApi, optionsToApi, permissionToApi } from "@acp-kit/v2/internal";
import { decoded, listOf, members, textOf } from "./members.js";

// Messages of both versions of the protocol, in the form of version 1.

/** The parts of the agent's response to `initialize` that the page uses. */
export interface AgentFacts {
  /** The version of the protocol. The other facts are in the form of version 1. */
  readonly protocolVersion: 1 | 2;
  readonly name?: string;
  readonly version?: string;
  readonly capabilities: Readonly<Record<string, unknown>>;
  readonly authMethods: readonly unknown[];
}

export const noFacts: AgentFacts = { protocolVersion: 1, capabilities: {}, authMethods: [] };

/** Reads the result of `initialize`. */
export function factsOf(received: unknown): AgentFacts {
  const isVersion2 = isV2Result(received);
  const result = isVersion2 ? initializeResultToV1(received as never) : received;
  const { agentInfo, agentCapabilities } = members(result);
  const name = textOf(agentInfo, "title") ?? textOf(agentInfo, "name");
  const version = textOf(agentInfo, "version");
  return {
    protocolVersion: isVersion2 ? 2 : 1,
    ...(name !== undefined && { name }),
    ...(version !== undefined && { version }),
    capabilities: members(agentCapabilities),
    authMethods: listOf(result, "authMethods"),
  };
}

/** The parts of a response that opens a session which the page uses. */
export interface SessionSetup {
  readonly modes?: SessionModeState | null;
  readonly configOptions?: IncomingSessionConfigOption[] | null;
  readonly availableCommands?: AvailableCommand[];
}

export function readSetup(isVersion2: boolean, result: unknown): SessionSetup {
  if (!isVersion2) return decoded(decodeLoadSessionResponse, result) ?? {};
  const setup = decoded(decodeV2Setup, result);
  return setup === undefined ? {} : openedToApi(setup);
}

/** Reads the options in a response to `session/set_config_option`. */
export function readOptions(isVersion2: boolean, result: unknown): IncomingSessionConfigOption[] | undefined {
  if (!isVersion2) return decoded(decodeSetSessionConfigOptionResponse, result)?.configOptions;
  const response = decoded(decodeV2Options, result);
  return response && optionsToApi(response.configOptions);
}

/**
 * Reads a permission request.
 *
 * @param key identifies the tool call that is made for a request of version 2 without one.
 */
export function readPermission(
  isVersion2: boolean,
  params: unknown,
  key: string,
): RequestPermissionRequest | undefined {
  if (!isVersion2) return decoded(decodeRequestPermissionRequest, params) as RequestPermissionRequest | undefined;
  const request = decoded(decodeV2Permission, params);
  return request && permissionToApi(request, `permission ${key}`);
}

/** Whether a request asks for the history of a session. */
export function isLoad(method: string, params: unknown): boolean {
  return method === "session/load" || (method === "session/resume" && members(params).replayFrom != null);
}
