import type { RequestId } from "@acp-kit/jsonrpc";
import type { V1ClientCalls } from "@acp-kit/protocol";
import type {
  CancelNotification,
  ContentBlock,
  InitializeRequest,
  InitializeResponse,
  NewSessionRequest,
  NewSessionResponse,
  PermissionOptionKind,
  PromptResponse,
} from "@acp-kit/schema";
import type { WireResponse } from "../wire-message.js";
import type { Script } from "./script.js";
import type { ScriptedPeer } from "./scripted-peer.js";

/** A client that a script plays: beside what every peer can do, the steps of a conversation. */
export interface ScriptedClient extends ScriptedPeer<V1ClientCalls> {
  /** Resolves when the steps of {@link ClientScript.play} are through; at once, when there are none. Rejects with what they throw. */
  readonly done: Promise<void>;
  /** Sends `initialize`: version 1 and the capabilities of the script, over which `params` go. */
  initialize(params?: Partial<InitializeRequest>): Promise<WireResponse<InitializeResponse>>;
  /** Sends `session/new`: `/work` and no MCP servers, unless told. {@link prompt} and {@link cancel} mean the session that was opened last. */
  newSession(params?: Partial<NewSessionRequest>): Promise<WireResponse<NewSessionResponse>>;
  /** Sends a prompt and resolves with its whole response. */
  prompt(
    prompt: string | readonly ContentBlock[],
    options?: { readonly sessionId?: string; readonly id?: RequestId },
  ): Promise<WireResponse<PromptResponse>>;
  /** Sends `session/cancel`. */
  cancel(params?: Partial<CancelNotification>): void;
}

/** A client as a script. Without a word it advertises nothing, answers permission requests with `cancelled`, and refuses the rest. */
export interface ClientScript extends Script<V1ClientCalls, ScriptedClient> {
  /** Members of the params of `initialize`, over the usual ones: `clientCapabilities`, `protocolVersion`. */
  initialize(params: Partial<InitializeRequest>): this;
  /** How permission requests are answered: by the first option of this kind, by an option's id, or `cancelled`. With a title: those for such tool calls. */
  onPermission(answer: PermissionChoice): this;
  onPermission(title: string | RegExp, answer: PermissionChoice): this;
  /** The conversation, for a client that plays it by itself: as a process, or over a transport of any kind. */
  play(steps: (client: ScriptedClient) => void | PromiseLike<void>): this;
}

export type PermissionChoice = PermissionOptionKind | "cancelled" | { readonly optionId: string };
