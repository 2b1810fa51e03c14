import type { AgentDefinition, AgentVersion } from "@acp-kit/agent";
import type { AgentPort, VersionedConnection } from "@acp-kit/agent/internal";
import { InvalidOptionError, invalidParams, RpcError } from "@acp-kit/protocol";
import { settledWithin } from "@acp-kit/protocol/internal";
import type { AgentCapabilities, RequestId } from "@acp-kit/types";
import { ErrorCode, type InitializeRequest, type InitializeResponse } from "@acp-kit/types/v2";
import { decodeInitializeRequest, formatIssue } from "@acp-kit/types/v2/decode";
import { clientCapabilitiesToV1, unstableCapabilities } from "../codec/capabilities.js";
import { initializeResultToV2, unknownPeer } from "../codec/initialize.js";
import { type LossKind, type Lost, losses } from "../codec/loss.js";
import { isObject } from "../codec/objects.js";
import { AgentMethods } from "./agent-methods.js";
import { agentRole } from "./agent-role.js";
import { BackgroundWork } from "./background-work.js";
import { V1Session } from "./v1-session.js";
import { V2Session } from "./v2-session.js";

/** The protocol version 2. */
const VERSION = 2;

/**
 * Version 2 of the protocol, for an agent that speaks versions 1 and 2: the client chooses in `initialize`.
 *
 * @example
 * ```ts
 * const agent = createAgent(definition, { versions: [v2] });
 * ```
 * @see https://agentclientprotocol.com/protocol/v2/initialization#version-negotiation
 */
export const v2: AgentVersion = {
  protocolVersion: VERSION,

  check({ authMethods = [], logout }: AgentDefinition): void {
    if (authMethods.length > 0 && logout === undefined)
      throw new InvalidOptionError(
        "createAgent",
        "logout",
        "is missing: version 2 of the protocol requires it with authMethods",
      );
  },

  connect(agent: AgentPort, params: unknown, offered: AgentCapabilities, id: RequestId): VersionedConnection {
    const requested = requestedVersion(params);
    const lost = reportLosses(agent);
    if (requested < 1) throw unsupported(requested);
    const { peer, definition } = agent;
    const busy = new Set<BackgroundWork>();
    const works = new Set<Promise<unknown>>();
    const idle = (timeoutMs: number): Promise<void> =>
      settledWithin(timeoutMs, Promise.allSettled([...works]), { keepAlive: true });
    if (definition.keepTurns !== true)
      void peer.connection.closed.then(() => {
        for (const background of [...busy]) background.cancelAll();
      });
    if (requested < VERSION)
      return {
        response: undefined,
        idle,
        session: (session) => new V1Session(session, agent, new BackgroundWork(busy), lost),
      };
    if (id === null)
      throw new RpcError(ErrorCode.invalidRequest, "Version 2 of the protocol has no requests with the id null");
    const response = initialize(agent, params, offered);
    peer.adopt(agentRole(lost));
    let current = response;
    const again = (repeated: unknown): InitializeResponse => {
      if (requestedVersion(repeated) < VERSION)
        throw new RpcError(ErrorCode.invalidRequest, "The connection already has version 2 of the protocol");
      current = initialize(agent, repeated, offered);
      return current;
    };
    new AgentMethods(agent, again, () => current.authMethods ?? []).register();
    return {
      response,
      idle,
      session: (session) => new V2Session(session, agent, new BackgroundWork(busy), works, lost),
    };
  },
};

/** Reads the params of `initialize`, and agrees with the client. If it throws, the agreement stays as it was. */
function initialize({ peer, definition }: AgentPort, params: unknown, offered: AgentCapabilities): InitializeResponse {
  const { info, capabilities } = clientOf(params);
  const view = clientCapabilitiesToV1(capabilities ?? {});
  const methods = (definition.authMethods ?? []).filter(
    (method) => view.auth?.terminal === true || (method as { type?: string }).type !== "terminal",
  );
  const response = initializeResultToV2({
    protocolVersion: 1,
    agentInfo: definition.info,
    agentCapabilities: offered,
    authMethods: methods,
  });
  peer.setAgreement({ protocolVersion: VERSION, capabilities: view, info });
  const { session } = response.capabilities ?? {};
  return {
    ...response,
    capabilities: {
      ...response.capabilities,
      session: { ...session, ...unstableCapabilities(offered.sessionCapabilities) },
    },
  };
}

/**
 * Returns the client's facts. The params must have the form of version 2 if the client requests it. In a request for a
 * later version, members that don't have this form are left out.
 */
function clientOf(params: unknown): InitializeRequest {
  const decoded = decodeInitializeRequest.try(params);
  if (decoded.ok) return decoded.value;
  if (requestedVersion(params) === VERSION) {
    const issues = decoded.issues.map(formatIssue);
    throw invalidParams(`Invalid params: ${issues[0]}`, { issues });
  }
  const { info, capabilities } = params as { info?: unknown; capabilities?: unknown };
  for (const members of [{ info }, { info: unknownPeer, capabilities }]) {
    const lenient = decodeInitializeRequest.try({ protocolVersion: VERSION, ...members });
    if (lenient.ok) return lenient.value;
  }
  return { protocolVersion: VERSION, info: unknownPeer };
}

function requestedVersion(params: unknown): number {
  return isObject(params) && typeof params.protocolVersion === "number" ? params.protocolVersion : 1;
}

/** Creates the error for a client that requests a version below all that the agent speaks. */
function unsupported(requested: number): RpcError {
  return new RpcError(ErrorCode.unsupportedProtocolVersion, `Protocol version ${requested} is not supported`, {
    data: { requested, supported: [1, VERSION] },
  });
}

/** Reports each kind of loss once for each connection. */
function reportLosses({ peer }: AgentPort): Lost {
  const reported = new Set<LossKind>();
  return (kind) => {
    if (reported.has(kind)) return;
    reported.add(kind);
    peer.report({ code: "version_loss", message: losses[kind], data: { kind } });
  };
}
