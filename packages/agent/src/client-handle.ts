import { CapabilityError, type ClientCapability, type RequestOptions, type StandardSchema } from "@acp-kit/protocol";
import {
  assertClientCapability,
  type DeleteFileRequest,
  type ExtensionName,
  fileExtensions,
  type RenameFileRequest,
} from "@acp-kit/protocol/internal";
import type {
  ClientCapabilities,
  CreateTerminalRequest,
  ElicitationFormMode,
  ElicitationUrlMode,
  Implementation,
  IncomingCreateElicitationResponse,
  IncomingRequestPermissionResponse,
  ReadTextFileRequest,
  ReadTextFileResponse,
  RequestPermissionRequest,
  WriteTextFileRequest,
} from "@acp-kit/types";
import type { AgentPeer } from "./agent-peer.js";
import type { SessionChannel } from "./session-channel.js";
import { TerminalHandle } from "./terminal-handle.js";

type Unbound<Params> = Omit<Params, "sessionId">;

/** A form for the user to fill in. The library adds the session id to it. */
export type ElicitForm = Pick<ElicitationFormMode, "requestedSchema"> & {
  readonly message: string;
  readonly toolCallId?: string;
};

/** A web page for the user to visit. The library adds the session id to it. */
export type ElicitUrl = Pick<ElicitationUrlMode, "elicitationId" | "url"> & {
  readonly message: string;
  readonly toolCallId?: string;
};

/**
 * The methods of the client, for one session: each call contains the session's id.
 *
 * If the client did not advertise a method, calling it rejects with `CapabilityError` and sends nothing. If the handle
 * belongs to a turn, its requests are cancelled together with the turn.
 */
export class ClientHandle {
  readonly sessionId: string;
  readonly #peer: AgentPeer;
  readonly #channel: Pick<SessionChannel, "settled" | "version">;
  readonly #signal: AbortSignal | undefined;

  /** @internal */
  constructor(
    peer: AgentPeer,
    channel: Pick<SessionChannel, "sessionId" | "settled" | "version">,
    signal: AbortSignal | undefined,
  ) {
    this.#peer = peer;
    this.#channel = channel;
    this.sessionId = channel.sessionId;
    this.#signal = signal;
  }

  /** The capabilities that the client advertised in `initialize`. */
  get capabilities(): ClientCapabilities {
    return (this.#peer.agreement?.capabilities ?? {}) as ClientCapabilities;
  }

  /** The name and version of the client, if the client sent them. */
  get info(): Implementation | undefined {
    return this.#peer.agreement?.info;
  }

  /**
   * Returns whether the client advertised a capability of the protocol, such as `clientCapabilities.terminal`. Other
   * capabilities, such as those in `_meta`, are in {@link capabilities}.
   *
   * @throws {InvalidOptionError} for a path that the protocol does not define.
   */
  offers(capability: ClientCapability): boolean {
    assertClientCapability(capability);
    return this.#peer.offers(capability);
  }

  /** Reads a text file from the client, including unsaved changes in an editor. `line` counts from 1. */
  readTextFile(params: Unbound<ReadTextFileRequest>): Promise<ReadTextFileResponse> {
    return this.#afterUpdates(() => this.#peer.request("fs/read_text_file", this.#bind(params), this.#options()));
  }

  /** Writes a text file through the client and creates the file if it doesn't exist. */
  async writeTextFile(params: Unbound<WriteTextFileRequest>): Promise<void> {
    await this.#afterUpdates(() => this.#peer.request("fs/write_text_file", this.#bind(params), this.#options()));
  }

  /**
   * Deletes a file through the client. The protocol does not define this method. The few clients that support it
   * advertise `clientCapabilities.fs.deleteFile`; see `fileExtensions` of `@acp-kit/protocol`.
   */
  async deleteFile(params: Unbound<DeleteFileRequest>): Promise<void> {
    await this.extensionRequest(fileExtensions.deleteFile.method, this.#bind(params));
  }

  /**
   * Moves a file through the client to a path where no file exists. The protocol does not define this method. The few
   * clients that support it advertise `clientCapabilities.fs.renameFile`.
   */
  async renameFile(params: Unbound<RenameFileRequest>): Promise<void> {
    await this.extensionRequest(fileExtensions.renameFile.method, this.#bind(params));
  }

  /**
   * Starts a command in a terminal of the client and returns immediately. The agent has to release the returned
   * terminal.
   */
  async createTerminal(params: Unbound<CreateTerminalRequest>): Promise<TerminalHandle> {
    const { terminalId } = await this.#afterUpdates(() => this.#peer.request("terminal/create", this.#bind(params)));
    return new TerminalHandle(this.#peer, this.sessionId, terminalId, this.#signal);
  }

  /**
   * Sends a permission request to the client. `ToolCallHandle.requestPermission` does the same with fewer arguments.
   */
  requestPermission(params: Unbound<RequestPermissionRequest>): Promise<IncomingRequestPermissionResponse> {
    return this.#afterUpdates(() =>
      this.#sender.request("session/request_permission", this.#bind(params), this.#options()),
    );
  }

  /**
   * Prompts the user to fill in a form. Never request secrets in a form; use a web page for them, see
   * {@link elicitUrl}.
   */
  elicitForm(form: ElicitForm): Promise<IncomingCreateElicitationResponse> {
    return this.#elicit("form", form);
  }

  /**
   * Prompts the user to visit a web page. The action `accept` means that the user agreed to open the page, not that the
   * user has finished there.
   */
  elicitUrl(page: ElicitUrl): Promise<IncomingCreateElicitationResponse> {
    return this.#elicit("url", page);
  }

  /** Notifies the client that the user has completed the elicitation with this id, which {@link elicitUrl} started. */
  completeElicitation(elicitationId: string): Promise<void> | undefined {
    return this.#peer.notify("elicitation/complete", { elicitationId });
  }

  /**
   * Sends an extension request to the client. The library does not add the session id, because extensions define their
   * own params.
   */
  extensionRequest<Result = unknown>(
    method: ExtensionName,
    params?: object,
    options: Pick<RequestOptions, "timeoutMs"> & { readonly result?: StandardSchema<Result> } = {},
  ): Promise<Result> {
    return this.#afterUpdates(() => this.#peer.extensionRequest(method, params, { ...options, ...this.#options() }));
  }

  /** Sends an extension notification to the client. */
  extensionNotify(method: ExtensionName, params?: object): Promise<void> | undefined {
    return this.#peer.extensionNotify(method, params);
  }

  async #elicit(mode: "form" | "url", params: ElicitForm | ElicitUrl): Promise<IncomingCreateElicitationResponse> {
    const capability = `clientCapabilities.elicitation.${mode}`;
    if (!this.#peer.offers(capability)) throw new CapabilityError("elicitation/create", capability);
    const request = { mode, ...this.#bind(params) } as Parameters<AgentPeer["request"]>[1];
    return this.#afterUpdates(() => this.#sender.request("elicitation/create", request as never, this.#options()));
  }

  /**
   * Sends a request after all earlier updates, including accumulated text that is not sent yet, and updates that wait
   * for `beforeUpdate`.
   */
  #afterUpdates<Result>(request: () => Promise<Result>): Promise<Result> {
    const settled = this.#channel.settled();
    return settled === undefined ? request() : settled.then(request);
  }

  get #sender(): Pick<AgentPeer, "request"> {
    return this.#channel.version ?? this.#peer;
  }

  #bind<Params extends object>(params: Params): Params & { sessionId: string } {
    return { sessionId: this.sessionId, ...params };
  }

  #options(): { signal?: AbortSignal } {
    return this.#signal === undefined ? {} : { signal: this.#signal };
  }
}
