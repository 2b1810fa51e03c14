import type { RequestId } from "@acp-kit/jsonrpc";
import { textBlock } from "../fixtures.js";
import type { WireResponse } from "../wire-message.js";
import { quietly } from "./message-log.js";
import type { PlayedScript } from "./play.js";

/** The differences between the steps of the versions of the protocol. */
interface Steps<Client> {
  /** The params of `initialize` that the test does not override. */
  readonly initialize: object;
  /** The params of `session/new` that the test does not override. */
  readonly newSession: object;
  /** The steps that only this version has. `session` has the id of the session that was opened last. */
  readonly more?: (session: { id: string }) => object;
  readonly play: (client: Client) => void | PromiseLike<void>;
}

/**
 * Adds the methods for the steps of a conversation, with default params, to a running script. The interfaces of the
 * scripted clients define the types of their params and results.
 */
export function withSteps<Client extends { readonly done: Promise<void> }>(
  played: PlayedScript,
  { initialize, newSession, more, play }: Steps<Client>,
): Client {
  const session = { id: "session-1" };
  const steps = {
    initialize: (params: object = {}) => played.request("initialize", { ...initialize, ...params }),
    newSession: async (params: object = {}): Promise<WireResponse> => {
      const response: WireResponse = await played.request("session/new", { ...newSession, ...params });
      const { sessionId } = (response.result ?? {}) as { readonly sessionId?: unknown };
      if (typeof sessionId === "string") session.id = sessionId;
      return response;
    },
    prompt: (
      prompt: string | readonly object[],
      { sessionId = session.id, ...options }: { readonly sessionId?: string; readonly id?: RequestId } = {},
    ) => {
      const blocks = typeof prompt === "string" ? [textBlock(prompt)] : [...prompt];
      return played.request("session/prompt", { sessionId, prompt: blocks }, options);
    },
    cancel: (params: object = {}) => played.notify("session/cancel", { sessionId: session.id, ...params }),
    ...more?.(session),
    // The steps start in a microtask, when the caller has received the client.
    done: quietly(Promise.resolve().then(() => play(client))),
  };
  steps.done.catch((error: unknown) => played.failures.push(error));
  const client = Object.assign(played, steps) as unknown as Client;
  return client;
}
