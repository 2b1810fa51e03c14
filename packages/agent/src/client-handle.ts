import {
  CapabilityError,
  type DeleteFileRequest,
  type ExtensionName,
  fileExtensions,
  type RenameFileRequest,
  type RequestOptions,
  type StandardSchema,
} from "@acp-kit/protocol";
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

/** A form for the user to fill in, without its scope. */
export type ElicitForm = Pick<ElicitationFormMode, "requestedSchema"> & {
  readonly message: string;
  readonly toolCallId?: string;
};

/** A page for the user to visit, without its scope. */
export type ElicitUrl = Pick<ElicitationUrlMode, "elicitationId" | "url"> & {
  readonly message: string;
  readonly toolCallId?: string;
};

/**
 * The client, from inside one session: every method that it may advertise, with the session filled in.
 *
 * A method that the client did not advertise rejects with `CapabilityError` and sends nothing. Inside a turn, requests
 * are cancelled together with the turn.
 */
export class ClientHandle {
  readonly sessionId: string;
  readonly #peer: AgentPeer;
  readonly #channel: Pick<SessionChannel, "settled">;
  readonly #signal: AbortSignal | undefined;

  /** @internal */
  constructor(
    peer: AgentPeer,
    channel: Pick<SessionChannel, "sessionId" | "settled">,
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

  /** Name and version of the client, if known. */
  get info(): Implementation | undefined {
    return this.#peer.agreement?.info;
  }

  /** Whether the client advertised a capability, by its path: `clientCapabilities.terminal`. */
  offers(capability: string): boolean {
    return this.#peer.offers(capability);
  }

  /** Reads a text file as the client sees it, unsaved changes included. `line` is 1-based. */
  readTextFile(params: Unbound<ReadTextFileRequest>): Promise<ReadTextFileResponse> {
    return this.#afterUpdates(() => this.#peer.request("fs/read_text_file", this.#bind(params), this.#options()));
  }

  /** Writes a text file through the client, creating it where it doesn't exist. */
  async writeTextFile(params: Unbound<WriteTextFileRequest>): Promise<void> {
    await this.#afterUpdates(() => this.#peer.request("fs/write_text_file", this.#bind(params), this.#options()));
  }

  /**
   * Deletes a file through the client. Not in the protocol: few clients advertise it, as `clientCapabilities.fs.deleteFile`; see
   * `fileExtensions` of `@acp-kit/protocol`.
   */
  async deleteFile(params: Unbound<DeleteFileRequest>): Promise<void> {
    await this.extensionRequest(fileExtensions.deleteFile.method, this.#bind(params));
  }

  /** Moves a file to a path where no file exists. Not in the protocol, like {@link deleteFile}: `clientCapabilities.fs.renameFile`. */
  async renameFile(params: Unbound<RenameFileRequest>): Promise<void> {
    await this.extensionRequest(fileExtensions.renameFile.method, this.#bind(params));
  }

  /** Starts a command in the client's terminal and returns at once. Release the returned terminal. */
  async createTerminal(params: Unbound<CreateTerminalRequest>): Promise<TerminalHandle> {
    const { terminalId } = await this.#afterUpdates(() => this.#peer.request("terminal/create", this.#bind(params)));
    return new TerminalHandle(this.#peer, this.sessionId, terminalId, this.#signal);
  }

  /** Prompts the user for permission. `ToolCallHandle.requestPermission` is shorter. */
  requestPermission(params: Unbound<RequestPermissionRequest>): Promise<IncomingRequestPermissionResponse> {
    return this.#afterUpdates(() =>
      this.#peer.request("session/request_permission", this.#bind(params), this.#options()),
    );
  }

  /** Prompts the user to fill in a form. Never for secrets: use a page for those, see {@link elicitUrl}. */
  elicitForm(form: ElicitForm): Promise<IncomingCreateElicitationResponse> {
    return this.#elicit("form", form);
  }

  /** Prompts the user to visit a page. `accept` means consent to open it, not that the user is done there. */
  elicitUrl(page: ElicitUrl): Promise<IncomingCreateElicitationResponse> {
    return this.#elicit("url", page);
  }

  /** Notifies the client that the user has done what `elicitUrl` asked for. */
  completeElicitation(elicitationId: string): Promise<void> | undefined {
    return this.#peer.notify("elicitation/complete", { elicitationId });
  }

  /** Sends an extension request. The session is not filled in: extensions name their own members. */
  extensionRequest<Result = unknown>(
    method: ExtensionName,
    params?: object,
    options: Pick<RequestOptions, "timeoutMs"> & { readonly result?: StandardSchema<Result> } = {},
  ): Promise<Result> {
    return this.#afterUpdates(() => this.#peer.extensionRequest(method, params, { ...options, ...this.#options() }));
  }

  /** Sends an extension notification. */
  extensionNotify(method: ExtensionName, params?: object): Promise<void> | undefined {
    return this.#peer.extensionNotify(method, params);
  }

  async #elicit(mode: "form" | "url", params: ElicitForm | ElicitUrl): Promise<IncomingCreateElicitationResponse> {
    const capability = `clientCapabilities.elicitation.${mode}`;
    if (!this.#peer.offers(capability)) throw new CapabilityError("elicitation/create", capability);
    const request = { mode, ...this.#bind(params) } as Parameters<AgentPeer["request"]>[1];
    return this.#afterUpdates(() => this.#peer.request("elicitation/create", request as never, this.#options()));
  }

  /** Sends a request after the updates before it, those included that wait for more text or for `beforeUpdate`. */
  #afterUpdates<Result>(request: () => Promise<Result>): Promise<Result> {
    const settled = this.#channel.settled();
    return settled === undefined ? request() : settled.then(request);
  }

  #bind<Params extends object>(params: Params): Params & { sessionId: string } {
    return { sessionId: this.sessionId, ...params };
  }

  #options(): { signal?: AbortSignal } {
    return this.#signal === undefined ? {} : { signal: this.#signal };
  }
}
