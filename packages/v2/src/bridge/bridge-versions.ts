import type { Diagnostic, Message, RequestId, RequestMessage, Transport, TransportReceiver } from "@acp-kit/jsonrpc";
import { DeliveryQueue, type DiagnosticListener } from "@acp-kit/jsonrpc/internal";
import { checkOptions, diagnosticReporter, type OptionKinds } from "@acp-kit/protocol/internal";
import type * as v1 from "@acp-kit/types";
import { decodeInitializeResponse as decodeV1Result } from "@acp-kit/types/decode";
import type * as v2 from "@acp-kit/types/v2";
import { ErrorCode } from "@acp-kit/types/v2";
import { decodeInitializeResponse as decodeV2Result } from "@acp-kit/types/v2/decode";
import { clientCapabilitiesToV2 } from "../codec/capabilities.js";
import {
  initializeFromV1,
  initializeFromV2,
  initializeResultToV1,
  initializeResultToV2,
  isV2Result,
} from "../codec/initialize.js";
import { type LossKind, losses } from "../codec/loss.js";
import { isObject, type JsonObject } from "../codec/objects.js";
import type { Conversion, Exchange } from "./exchange.js";
import { V1ClientConversion } from "./v1-client.js";
import { V2ClientConversion } from "./v2-client.js";

/** Options of {@link bridgeVersions}. */
export interface BridgeVersionsOptions {
  /**
   * The version to request from an agent that speaks both. The default is the client's version, which needs no
   * conversion.
   */
  readonly prefer?: 1 | 2;
  /**
   * Whether to refuse requests that can't be converted without loss, with the error `-32602`. The default is `false`.
   */
  readonly strict?: boolean;
  /**
   * How long the agent may take to end a cancelled turn, in milliseconds. After that time, a client of version 2 gets
   * the end of the turn from the bridge. The default is 10,000.
   */
  readonly cancelGraceMs?: number;
  /**
   * Receives the diagnostics of the bridge: `version_loss` when a version can't express something, once for each kind,
   * and messages that can't be converted.
   */
  readonly onDiagnostic?: DiagnosticListener;
}

const optionKinds: OptionKinds<BridgeVersionsOptions> = {
  prefer: "value",
  strict: "value",
  cancelGraceMs: "value",
  onDiagnostic: "function",
};

/**
 * Returns a transport to `agent` for a client of any version. If the client speaks version 1 of the protocol and the
 * agent version 2, or the reverse, the transport converts all messages. Otherwise, it passes them unchanged.
 *
 * Conversion loses what a version can't express. The bridge reports each kind of loss once. It never approves a
 * request, and loses no text of a message.
 *
 * @example
 * ```ts
 * await using agent = await connectAgent(bridgeVersions(spawnAgent({ command: "agent-of-version-2" })));
 * ```
 * @throws {InvalidOptionError} when an option is invalid.
 * @see https://agentclientprotocol.com/protocol/v2/initialization#version-negotiation
 */
export function bridgeVersions(agent: Transport, options: BridgeVersionsOptions = {}): Transport {
  checkOptions("bridgeVersions", options, optionKinds);
  return new VersionBridge(agent, options);
}

/** An `initialize` of the client that has no response yet. */
interface Opening {
  readonly request: RequestMessage;
  readonly params: JsonObject;
  /** The id of the request that the agent got. */
  readonly id: RequestId;
  readonly clientVersion: 1 | 2;
  /** The version that the bridge has requested from the agent. */
  readonly requested: 1 | 2;
}

/** A transport that negotiates the versions, and then converts or passes messages. */
class VersionBridge implements Transport {
  readonly #agent: Transport;
  readonly #options: BridgeVersionsOptions;
  readonly #report: DiagnosticListener;
  readonly #toClient = new DeliveryQueue();
  readonly #reported = new Set<LossKind>();
  #opening: Opening | undefined;
  #conversion: Conversion | undefined;
  /** Whether messages pass unchanged for the rest of the connection. */
  #isEqual = false;
  /** The size of the messages that were sent to the agent for the current call of `send`. */
  #sentSize = 0;

  constructor(agent: Transport, options: BridgeVersionsOptions) {
    this.#agent = agent;
    this.#options = options;
    this.#report = diagnosticReporter(options.onDiagnostic);
  }

  get full(): Promise<void> | undefined {
    return this.#agent.full;
  }

  get command(): string | undefined {
    return this.#agent.command;
  }

  start(receiver: TransportReceiver): void {
    this.#toClient.start(receiver);
    this.#agent.start({
      // A receiver in this process needs values, so the transport parses the text once.
      ...(receiver.text !== undefined && {
        text: (text, size, read) => this.#isEqual && receiver.text?.(text, size, read) === true,
      }),
      message: (value, size) => {
        if (this.#isEqual) receiver.message(value, size);
        else this.#fromAgent(value, size);
      },
      malformed: (input) => {
        this.#toClient.flush();
        receiver.malformed(input);
      },
      ended: () => {
        this.#end();
        receiver.ended();
      },
      failed: (error) => {
        this.#end();
        receiver.failed(error);
      },
    });
  }

  send(message: Message, text?: string): number {
    if (this.#isEqual) return this.#agent.send(message, text);
    const { method } = message as RequestMessage;
    const isInitialize = method === "initialize" && "id" in message;
    if (this.#conversion === undefined && !isInitialize) return this.#agent.send(message, text);
    return this.#toClient.whileSending(() => {
      this.#sentSize = 0;
      if (this.#conversion === undefined) this.#initialize(message as RequestMessage, text);
      // A conversion gets a copy, because the client may use the params again.
      else this.#conversion.fromClient(JSON.parse(text ?? JSON.stringify(message)) as Message);
      return this.#sentSize;
    });
  }

  pause(): void {
    this.#agent.pause();
  }

  resume(): void {
    this.#agent.resume();
  }

  close(): Promise<void> {
    this.#end();
    return this.#agent.close();
  }

  #end(): void {
    this.#toClient.end();
    this.#conversion?.close();
  }

  #toAgent(message: Message, text?: string): void {
    this.#sentSize += this.#agent.send(message, text);
  }

  #initialize(request: RequestMessage, text: string | undefined): void {
    const { params } = request;
    if (!isObject(params)) {
      this.#toAgent(request, text);
      return;
    }
    const clientVersion = Number(params.protocolVersion) >= 2 ? 2 : 1;
    // A client that sends the members of both versions speaks both, so it needs no bridge.
    if (clientVersion === 2 && isObject(params.info) && isObject(params.clientCapabilities)) {
      this.#isEqual = true;
      this.#toAgent(request, text);
      return;
    }
    const requested = this.#options.prefer ?? clientVersion;
    const opening: Opening = {
      request,
      params,
      id: request.id ?? "acp-kit/bridge/initialize",
      clientVersion,
      requested,
    };
    this.#opening = opening;
    if (clientVersion === 1 && requested === 1) {
      this.#toAgent(request, text);
      return;
    }
    this.#ask(opening);
  }

  /** Sends an `initialize` that satisfies both versions. The agent chooses. */
  #ask({ id, params, clientVersion, requested }: Opening): void {
    const both =
      clientVersion === 1
        ? initializeFromV1(params as unknown as v1.InitializeRequest, requested)
        : initializeFromV2(params as unknown as v2.InitializeRequest, requested);
    this.#toAgent({ jsonrpc: "2.0", id, method: "initialize", params: both });
  }

  #fromAgent(value: unknown, size: number): void {
    this.#toClient.flush();
    if (!isObject(value) || value.jsonrpc !== "2.0") {
      this.#toClient.deliver(value, size);
      return;
    }
    if (this.#conversion !== undefined) {
      this.#conversion.fromAgent(value, size);
      return;
    }
    const opening = this.#opening;
    if (opening === undefined || "method" in value || value.id !== opening.id) {
      this.#toClient.deliver(value, size);
      return;
    }
    this.#opening = undefined;
    if ("error" in value) this.#initializeFailed(value, opening, size);
    else this.#initialized(value, opening, size);
  }

  /** An agent that refuses the version of the client, but speaks the other one, gets a request for that. */
  #initializeFailed(response: JsonObject, opening: Opening, size: number): void {
    const { code, data } = (isObject(response.error) ? response.error : {}) as JsonObject;
    const other = opening.clientVersion === 1 ? 2 : 1;
    const supported = isObject(data) && Array.isArray(data.supported) ? data.supported : [];
    if (code !== ErrorCode.unsupportedProtocolVersion || opening.requested === other || !supported.includes(other)) {
      this.#toClient.deliver({ ...response, id: opening.request.id }, size);
      return;
    }
    this.#opening = { ...opening, requested: other };
    this.#ask(this.#opening);
  }

  #initialized(response: JsonObject, opening: Opening, size: number): void {
    const { result } = response;
    const { clientVersion, request } = opening;
    const respond = (body: object): void => this.#toClient.deliver({ jsonrpc: "2.0", id: request.id, ...body }, size);
    const version = isObject(result) ? result.protocolVersion : undefined;
    const isV2 = isV2Result(result);
    const agentVersion = isV2 ? 2 : version === 1 || version === 2 ? 1 : undefined;
    if (agentVersion === clientVersion || agentVersion === undefined) {
      this.#isEqual = true;
      // An agent that only repeats the number of version 2 speaks version 1.
      const isEcho = agentVersion === 1 && version === 2;
      isEcho ? respond({ result: { ...(result as object), protocolVersion: 1 } }) : respond({ result });
      return;
    }
    const decoded = isV2 ? decodeV2Result.try(result) : decodeV1Result.try(result);
    if (!decoded.ok) {
      respond({
        error: { code: ErrorCode.internalError, message: "The agent's result of initialize is not valid" },
      });
      return;
    }
    if (clientVersion === 1) this.#convertForV1(opening, decoded.value as v2.IncomingInitializeResponse, respond);
    else {
      const agent = decoded.value as v1.IncomingInitializeResponse;
      const client = initializeResultToV2(agent);
      this.#conversion = new V2ClientConversion({ agent, client }, this.#exchange());
      respond({ result: client });
    }
  }

  #convertForV1({ params }: Opening, result: v2.IncomingInitializeResponse, respond: (body: object) => void): void {
    const lost: LossKind[] = [];
    const capabilities = (
      isObject(params.clientCapabilities) ? params.clientCapabilities : {}
    ) as v1.ClientCapabilities;
    clientCapabilitiesToV2(capabilities, (kind) => lost.push(kind));
    const [first] = lost;
    if (first !== undefined && this.#options.strict) {
      respond({ error: { code: ErrorCode.invalidParams, message: losses[first] } });
      return;
    }
    lost.forEach(this.#lost);
    this.#conversion = new V1ClientConversion(capabilities, this.#exchange());
    respond({ result: initializeResultToV1(result) });
  }

  #exchange(): Exchange {
    return {
      toAgent: (message) => this.#toAgent(message),
      toClient: (message, size = 0) => this.#toClient.deliver(message, size),
      lost: this.#lost,
      report: (diagnostic: Diagnostic) => this.#report(diagnostic),
      strict: this.#options.strict ?? false,
      cancelGraceMs: this.#options.cancelGraceMs ?? 10_000,
    };
  }

  readonly #lost = (kind: LossKind): void => {
    if (this.#reported.has(kind)) return;
    this.#reported.add(kind);
    this.#report({ code: "version_loss", message: losses[kind], data: { kind } });
  };
}
