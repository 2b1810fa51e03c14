import { checkOptions } from "@acp-kit/protocol/internal";
import { type AcpProxy, createProxy } from "../create-proxy.js";
import type { NextNotification, NextRequest } from "../interceptors.js";
import type { ProxySession } from "../proxy-session.js";
import { v2 } from "../v2/index.js";
import { ChunkTexts, hasChunkOfText, type TextFilter, type UpdateParams, type UpdateReceiver } from "./chunk-texts.js";
import { MIDDLEWARE_VERSION } from "./version.js";

/** Hides secrets in the messages of one connection, such as `createRedactor()` of `@acp-kit/redact` does. */
export interface MessageRedactor {
  /** Returns a function that hides the secrets in one message per call and keeps what it needs for the next. */
  messages(): (message: unknown) => unknown;
}

/** Options of {@link redactMessages}. */
export interface RedactMessagesOptions {
  /**
   * Whether secrets are hidden in what the agent shows to the client: updates, permission requests and forms. The
   * default is `true`.
   */
  readonly toClient?: boolean;
  /**
   * Whether secrets are hidden in what the agent reads: prompts, the contents of files and the output of terminals. The
   * default is `false`, because an agent may need them.
   */
  readonly toAgent?: boolean;
}

/** A message of either version of the protocol. */
interface Received<Params> {
  readonly params: Params;
  readonly session: ProxySession | undefined;
  readonly client: UpdateReceiver;
}

/** The number of characters at the end of a chunk that wait for the next chunk, if they are one word. */
const MAX_HELD = 256;

/**
 * Creates an ACP proxy that hides secrets in messages. What agents write, such as files and commands, is not changed.
 *
 * A secret that is split between chunks of a text is hidden, too: the last word of a chunk waits for the next chunk, or
 * for the next other message of the session.
 *
 * @param redactor the redactor of `createRedactor()`. It remembers the secrets that it hid.
 * @throws {InvalidOptionError} when an option is invalid.
 */
export function redactMessages(redactor: MessageRedactor, options: RedactMessagesOptions = {}): AcpProxy {
  checkOptions("redactMessages", options, { toClient: "value", toAgent: "value" });
  const { toClient = true, toAgent = false } = options;
  return createProxy(() => {
    const redact = redactor.messages();
    const inParams = <Params>(params: Params): Params => (redact({ params }) as { readonly params: Params }).params;
    const inResult = <Result>(result: Result): Result => (redact({ result }) as { readonly result: Result }).result;
    const texts = new ChunkTexts(() => new WordFilter(), inParams);
    const shown = async <Params, Result>(
      { params, session, client }: Received<Params>,
      next: NextRequest<Params, Result>,
    ): Promise<Result> => {
      texts.flush(session?.id, client);
      return await next(inParams(params));
    };
    const flushed = async <Result>(
      { session, client }: Received<unknown>,
      next: NextRequest<never, Result>,
    ): Promise<Result> => {
      const result = await next();
      texts.flush(session?.id, client);
      return result;
    };
    const prompt = async <Params, Result>(
      { params, session, client }: Received<Params>,
      next: NextRequest<Params, Result>,
    ): Promise<Result> => {
      const result = await next(toAgent ? inParams(params) : params);
      texts.flush(session?.id, client);
      return result;
    };
    const update = <Params extends UpdateParams>(
      { params, client }: { readonly params: Params; readonly client: UpdateReceiver },
      next: NextNotification<Params>,
    ): void => {
      if (hasChunkOfText(params)) {
        texts.push(params, client, next);
        return;
      }
      texts.flush(params.sessionId, client);
      next(inParams(params));
    };
    const requests = { "session/request_permission": shown, "elicitation/create": shown };
    return {
      info: { name: "redactMessages", version: MIDDLEWARE_VERSION },
      fromClient: { ...(toClient && { "session/load": flushed }), "session/prompt": prompt },
      fromAgent: {
        ...(toClient && { "session/update": update, ...requests }),
        ...(toAgent && {
          "fs/read_text_file": async (_, next) => inResult(await next()),
          "terminal/output": async (_, next) => inResult(await next()),
        }),
      },
      versions: [
        v2({
          fromClient: { ...(toClient && { "session/resume": flushed }), "session/prompt": prompt },
          fromAgent: { ...(toClient && { "session/update": update, ...requests }) },
        }),
      ],
    };
  });
}

/** Holds back the last word of a text. */
class WordFilter implements TextFilter {
  #held = "";

  push(piece: string): string {
    const text = this.#held + piece;
    const first = Math.max(0, text.length - MAX_HELD);
    let space = text.length;
    while (space > first && !/\s/.test(text.charAt(space - 1))) space -= 1;
    this.#held = text.slice(space);
    return text.slice(0, space);
  }

  end(): string {
    return this.#held;
  }
}
