import type {
  ClientVersion,
  ReadUpdate,
  VersionConnection,
  VersionSession,
  VersionState,
  VersionTurns,
} from "@acp-kit/client/internal";
import { v2Updates } from "@acp-kit/client/internal";
import {
  type Diagnostic,
  InvalidOptionError,
  isRpcError,
  type Peer,
  type PeerRole,
  type V1ClientCalls,
} from "@acp-kit/protocol";
import type { IncomingInitializeResponse, InitializeRequest } from "@acp-kit/types";
import type { Decoder } from "@acp-kit/types/decode";
import type * as types from "@acp-kit/types/v2";
import { ErrorCode } from "@acp-kit/types/v2";
import { decodeInitializeResponse } from "@acp-kit/types/v2/decode";
import { unstableCapabilities, unstableClientCapabilities } from "../codec/capabilities.js";
import { initializeFromV1, initializeResultToV1, isV2Result } from "../codec/initialize.js";
import { isObject } from "../codec/objects.js";
import { BackgroundWork } from "./background-work.js";
import { createClientRole } from "./client-role.js";
import { ClientSession } from "./client-session.js";
import { SessionReader } from "./session-reader.js";

/**
 * Version 2 of the protocol, for the option `versions` of `connectAgent`. The client offers both versions in one
 * `initialize`, and the agent chooses.
 *
 * @see https://agentclientprotocol.com/protocol/v2/overview
 */
export const v2: ClientVersion = {
  protocolVersion: 2,
  extendTranscript: v2Updates,
  check({ info }) {
    const problem = "is required with versions: agents of version 2 need the name of the client";
    if (info === undefined) throw new InvalidOptionError("connectAgent", "info", problem);
  },
  connect: (role, report) => new ClientConnection(role, report),
};

/** The part of a connection that belongs to version 2. */
class ClientConnection implements VersionConnection {
  readonly role: PeerRole<V1ClientCalls>;
  readonly #v1: PeerRole<V1ClientCalls>;
  readonly #report: (diagnostic: Diagnostic) => void;
  /** The result of `initialize`, if the agent has chosen version 2. */
  #chosen: types.IncomingInitializeResponse | undefined;
  /** The sessions that the end of the connection changes. */
  readonly #affected = new Set<ClientSession>();

  constructor(role: PeerRole<V1ClientCalls>, report: (diagnostic: Diagnostic) => void) {
    this.#v1 = role;
    this.#report = report;
    const { params, results } = role.decoders;
    const initialize = this.#initializeDecoder(results.initialize as Decoder<unknown>);
    this.role = { ...role, decoders: { params, results: { ...results, initialize } } };
  }

  get isChosen(): boolean {
    return this.#chosen !== undefined;
  }

  async initialize(params: InitializeRequest, peer: Peer<V1ClientCalls>): Promise<IncomingInitializeResponse> {
    // In `onResult`, because the next message is of the version that the agent has chosen.
    const onResult = (): void => this.#negotiated(peer);
    const request = initializeFromV1(params, v2.protocolVersion);
    request.capabilities = { ...request.capabilities, ...unstableClientCapabilities(params.clientCapabilities) };
    try {
      return await peer.request("initialize", request, { onResult });
    } catch (error) {
      if (!supportsVersion1(error)) throw error;
      return peer.request("initialize", params);
    }
  }

  session(state: VersionState, turns: VersionTurns): VersionSession {
    return new ClientSession(state, turns, this.#affected);
  }

  #negotiated(peer: Peer<V1ClientCalls>): void {
    if (this.#chosen === undefined) return;
    const capabilities = this.#chosen.capabilities ?? {};
    peer.adopt(createClientRole({ v1: this.#v1, capabilities, report: this.#report }));
    void peer.connection.closed.then((error) => {
      for (const session of [...this.#affected]) session.lost(error);
    });
  }

  reader(): ReadUpdate {
    const reader = new SessionReader(new BackgroundWork());
    return (update, emit) => reader.read(update as types.IncomingSessionUpdate, undefined, emit);
  }

  /** Reads results of both versions, and converts one of version 2 to the form of version 1. */
  #initializeDecoder(v1: Decoder<unknown>): Decoder<unknown> {
    const read: Decoder<unknown>["try"] = (value) => {
      if (isV2Result(value)) {
        const result = decodeInitializeResponse.try(value);
        if (!result.ok) return result;
        this.#chosen = result.value;
        const response = initializeResultToV1(result.value);
        Object.assign(
          response.agentCapabilities?.sessionCapabilities ?? {},
          unstableCapabilities(result.value.capabilities?.session),
        );
        return { ...result, value: { ...response, protocolVersion: v2.protocolVersion } };
      }
      if (!isObject(value) || value.protocolVersion !== v2.protocolVersion) return v1.try(value);
      const rule = "echoed-version";
      const message = `The agent deviates from the specification: it repeats the protocol version of the request, but its response is of version 1 ("${rule}")`;
      this.#report({ code: "dialect", message, method: "initialize", data: { rule } });
      return v1.try({ ...value, protocolVersion: 1 });
    };
    return Object.assign((value: unknown) => v1(value), { try: read, "~standard": v1["~standard"] });
  }
}

/** Whether an agent has refused version 2, and speaks version 1. */
function supportsVersion1(error: unknown): boolean {
  if (!isRpcError(error) || error.code !== ErrorCode.unsupportedProtocolVersion || !isObject(error.data)) return false;
  const { supported } = error.data;
  return Array.isArray(supported) && supported.includes(1);
}
