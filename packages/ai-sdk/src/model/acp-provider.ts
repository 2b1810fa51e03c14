// Whoever compiles without this library in `lib` gets it from our declarations, which name `Symbol.asyncDispose`.
/// <reference lib="esnext.disposable" preserve="true" />

import {
  type AgentConnection,
  type AgentSource,
  type ConnectAgentOptions,
  connectAgent,
  type SessionSetup,
  type Transport,
} from "@acp-kit/client";
import { NoSuchModelError } from "ai";
import { createModel, type ModelSession } from "./acp-model.js";
import type { LanguageModelV3 } from "./model-types.js";

/** How the agent is connected, and where its sessions work. */
export interface AcpProviderOptions extends ConnectAgentOptions, SessionSetup {}

/** An agent as a provider of the AI SDK. Call it for a model; close it, and the agent's process ends. */
export interface AcpProvider extends AsyncDisposable {
  /**
   * A model with a session of its own, opened at its first call and kept: calls of one model are one conversation. `default` is the agent as it is; any
   * other id is set as the session's model, and a call rejects with `TypeError` where the agent doesn't offer it.
   */
  (modelId?: string): LanguageModelV3;
  readonly specificationVersion: "v3";
  languageModel(modelId: string): LanguageModelV3;
  /** @throws {NoSuchModelError} for an agent has none. */
  embeddingModel(modelId: string): never;
  /** @throws {NoSuchModelError} for an agent has none. */
  imageModel(modelId: string): never;
  /** The connection, for what a model has no word for: lists of sessions, modes, logins. Rejects where the agent could not be reached. */
  readonly connection: Promise<AgentConnection>;
  /** Cancels what runs and ends the connection, and with it the agent's process. Idempotent. */
  close(): Promise<void>;
}

/**
 * Makes an agent callable from `streamText` and `generateText`. It is connected at once; a failure to connect rejects the first call.
 *
 * Permissions are decided by `permissions`, as in `connectAgent`: without any, what the agent asks for is not allowed. A call goes on in a session of
 * before with `providerOptions: { acp: { sessionId } }`; the id is in the `providerMetadata.acp` of every answer.
 *
 * @example
 * ```ts
 * await using agent = acpProvider(spawnAgent({ command: "gemini", args: ["--acp"] }), { cwd, permissions: allowReads() });
 * const { text } = await generateText({ model: agent(), prompt: "Explain this" });
 * ```
 */
export function acpProvider(
  agent: Transport | PromiseLike<Transport> | AgentSource,
  options: AcpProviderOptions,
): AcpProvider {
  const { cwd, mcpServers, additionalDirectories, meta, ...connecting } = options;
  const setup: SessionSetup = {
    cwd,
    ...(mcpServers && { mcpServers }),
    ...(additionalDirectories && { additionalDirectories }),
    ...(meta && { meta }),
  };
  const connection = connectAgent(agent, { transcript: false, ...connecting });
  connection.catch(() => {}); // it is told to whoever calls
  const named = new Map<string, Promise<ModelSession>>();

  const open = async (modelId: string, sessionId: string | undefined): Promise<ModelSession> => {
    const session = await (await connection).openSession({ ...setup, sessionId });
    if (modelId !== "default") await session.options.set("model", modelId);
    return { session, isNew: session.origin === "new" };
  };
  const model = (modelId = "default"): LanguageModelV3 => {
    let own: Promise<ModelSession> | undefined;
    return createModel({
      modelId,
      session(sessionId) {
        if (sessionId === undefined) {
          own ??= kept(open(modelId, undefined), () => {
            own = undefined;
          });
          return own;
        }
        const existing = named.get(sessionId);
        if (existing !== undefined) return existing;
        const opened = kept(open(modelId, sessionId), () => void named.delete(sessionId));
        named.set(sessionId, opened);
        return opened;
      },
    });
  };
  const none = (modelType: "embeddingModel" | "imageModel") => {
    return (modelId: string): never => {
      throw new NoSuchModelError({ modelId, modelType });
    };
  };
  const close = async (): Promise<void> => {
    const connected = await connection.catch(() => undefined); // then it is closed already
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

/** A session is kept; a failure to open it isn't, so that the next call tries again. */
function kept(opening: Promise<ModelSession>, forget: () => void): Promise<ModelSession> {
  opening.catch(forget);
  return opening;
}
