// The declarations of this package use `Symbol.asyncDispose`. This line adds it for applications whose `lib` does not
// contain it.
/// <reference lib="esnext.disposable" preserve="true" />

import {
  type AgentConnection,
  type AgentSource,
  type ConnectAgentOptions,
  connectAgent,
  type Session,
  type SessionSetup,
  type Transport,
} from "@acp-kit/client";
import { connectOptionKinds } from "@acp-kit/client/internal";
import { checkOptions, type OptionKinds } from "@acp-kit/protocol/internal";
import { NoSuchModelError } from "ai";
import { createModel, type ModelSession } from "./acp-model.js";
import type { LanguageModelV3 } from "./model-types.js";

/** Options of {@link acpProvider}: how to connect the agent, and the working directory of its sessions. */
export interface AcpProviderOptions extends ConnectAgentOptions, SessionSetup {}

/** An ACP agent as a provider of the AI SDK. Call the provider to get a model. Close it to end the agent's process. */
export interface AcpProvider extends AsyncDisposable {
  /**
   * Returns a model with its own session. The session is opened at the first call: all calls of one model are one
   * conversation. The id `default` leaves the agent's model unchanged; any other id is set as the session's model, and
   * a call rejects with `TypeError` if the agent doesn't offer it.
   */
  (modelId?: string): LanguageModelV3;
  readonly specificationVersion: "v3";
  languageModel(modelId: string): LanguageModelV3;
  /**
   * @throws {NoSuchModelError} always, because an agent has no embedding models.
   */
  embeddingModel(modelId: string): never;
  /**
   * @throws {NoSuchModelError} always, because an agent has no image models.
   */
  imageModel(modelId: string): never;
  /**
   * The connection to the agent, for features that the AI SDK does not have: lists of sessions, modes, logins. The
   * promise rejects if the agent could not be reached.
   */
  readonly connection: Promise<AgentConnection>;
  /** Cancels running turns, closes the connection and ends the agent's process. A second call has no effect. */
  close(): Promise<void>;
}

/**
 * Creates a provider whose models use an ACP agent, for `streamText` and `generateText`. The provider connects to the
 * agent immediately; if that fails, the first model call rejects.
 *
 * The option `permissions` decides permission requests, as in `connectAgent`. Without this option, every tool call that
 * needs permission is rejected. A model call continues a previous session with
 * `providerOptions: { acp: { sessionId } }`; `providerMetadata.acp` of every response has the session id.
 *
 * @example
 * ```ts
 * const gemini = spawnAgent({ command: "gemini", args: ["--acp"] });
 * await using agent = acpProvider(gemini, { cwd, permissions: allowReads() });
 * const { text } = await generateText({ model: agent(), prompt: "Explain this" });
 * ```
 */
export function acpProvider(
  agent: Transport | PromiseLike<Transport> | AgentSource,
  options: AcpProviderOptions,
): AcpProvider {
  checkOptions("acpProvider", options, optionKinds);
  const { cwd, mcpServers, additionalDirectories, systemPrompt, meta, ...connecting } = options;
  const setup: SessionSetup = {
    cwd,
    ...(mcpServers && { mcpServers }),
    ...(additionalDirectories && { additionalDirectories }),
    ...(systemPrompt && { systemPrompt }),
    ...(meta && { meta }),
  };
  const connection = connectAgent(agent, connecting);
  connection.catch(() => {}); // each model call rejects with this error
  const named = new Map<string, Promise<SelectedSession>>();
  /** The sessions that are open, by the client's session, because a call can name the own session of a model. */
  const known = new WeakMap<Session, SelectedSession>();

  const open = async (sessionId: string | undefined): Promise<SelectedSession> => {
    const session = await (await connection).openSession({ ...setup, sessionId });
    const opened = known.get(session) ?? { session, isNew: session.origin === "new", modelId: "default" };
    known.set(session, opened);
    return opened;
  };
  const model = (modelId = "default"): LanguageModelV3 => {
    let own: Promise<SelectedSession> | undefined;
    const sessionOf = (sessionId: string | undefined): Promise<SelectedSession> => {
      if (sessionId === undefined) {
        own ??= kept(open(undefined), () => {
          own = undefined;
        });
        return own;
      }
      const existing = named.get(sessionId);
      if (existing !== undefined) return existing;
      const opened = kept(open(sessionId), () => void named.delete(sessionId));
      named.set(sessionId, opened);
      return opened;
    };
    return createModel({ modelId, session: async (sessionId) => select(await sessionOf(sessionId), modelId) });
  };
  const none = (modelType: "embeddingModel" | "imageModel") => {
    return (modelId: string): never => {
      throw new NoSuchModelError({ modelId, modelType });
    };
  };
  const close = async (): Promise<void> => {
    const connected = await connection.catch(() => undefined); // if the connection failed, there is nothing to close
    await connected?.close();
  };
  return Object.assign(model, {
    specificationVersion: "v3" as const,
    languageModel: model,
    embeddingModel: none("embeddingModel"),
    imageModel: none("imageModel"),
    connection,
    close,
    [Symbol.asyncDispose]: close,
  });
}

const optionKinds: OptionKinds<AcpProviderOptions> = {
  ...connectOptionKinds,
  cwd: "value!",
  mcpServers: "value",
  additionalDirectories: "value",
  systemPrompt: "value",
  meta: "value",
};

/** A session, and the id of the model that was last selected in it. */
interface SelectedSession extends ModelSession {
  modelId: string;
}

/** Selects a model in a session, unless it is selected already: several models can use one session. */
async function select(selected: SelectedSession, modelId: string): Promise<ModelSession> {
  if (modelId !== "default" && modelId !== selected.modelId) {
    await selected.session.options.set("model", modelId);
    selected.modelId = modelId;
  }
  return selected;
}

/** Keeps the promise of an open session; one that fails is removed, so that the next call tries again. */
function kept(opening: Promise<SelectedSession>, forget: () => void): Promise<SelectedSession> {
  opening.catch(forget);
  return opening;
}
