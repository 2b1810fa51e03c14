import { InvalidOptionError } from "@acp-kit/jsonrpc";
import { checkOptions } from "@acp-kit/protocol/internal";
import { type AcpProxy, createProxy } from "../create-proxy.js";
import type { ProxySession } from "../proxy-session.js";
import { v2 } from "../v2/index.js";
import { ChunkTexts, hasChunkOfText, type TextFilter, type UpdateParams, type UpdateReceiver } from "./chunk-texts.js";
import { MIDDLEWARE_VERSION } from "./version.js";

/** Options of {@link addContext}. */
export interface AddContextOptions {
  /**
   * The prompts that get the context: `first`, the first prompt of each new session; `each`, every prompt; `changed`,
   * a prompt before which the context has changed. The default is `first`.
   */
  readonly when?: "first" | "each" | "changed";
}

/** The maximum length of a context. */
const MAX_CONTEXT = 100_000;
const MAX_SESSIONS = 10_000;

const OPEN = '<context from="acp-kit">';
const CLOSE = "</context>";

/**
 * Creates an ACP proxy that adds a text block to prompts, after the blocks of the user. The block never appears in the
 * client: it is removed from the user's messages that the agent repeats, live and when it replays a saved session.
 *
 * @param context returns the text for a session, or `undefined` for none; at most 100,000 characters.
 * @throws {InvalidOptionError} when an option is invalid.
 */
export function addContext(
  context: string | ((session: ProxySession) => string | undefined | PromiseLike<string | undefined>),
  options: AddContextOptions = {},
): AcpProxy {
  checkOptions("addContext", options, { when: ["first", "each", "changed"] });
  if (typeof context !== "string" && typeof context !== "function")
    throw new InvalidOptionError("addContext", "context", "must be a text or a function");
  const { when = "first" } = options;
  return createProxy(() => {
    /** The last context of each session. */
    const last = new Map<string, string>();
    const replayed = new ChunkTexts(() => new ContextFilter());
    const withContext = async <Params extends { readonly prompt: readonly unknown[] }>(
      params: Params,
      session: ProxySession,
    ): Promise<Params> => {
      const text = when === "first" && !session.isFirstPrompt ? undefined : await textFor(context, session);
      if (text === undefined || (when === "changed" && last.get(session.id) === text)) return params;
      remember(last, session.id, text);
      return { ...params, prompt: [...params.prompt, { type: "text", text: `${OPEN}\n${text}\n${CLOSE}` }] };
    };
    /** Sends what the filter holds of a session after the response to one of its requests. */
    const flushed = async <Result>(id: string, client: UpdateReceiver, response: Promise<Result>): Promise<Result> => {
      const result = await response;
      replayed.flush(id, client);
      return result;
    };
    const chunk = <Params extends UpdateParams>(
      { params, client }: { readonly params: Params; readonly client: UpdateReceiver },
      next: (params: Params) => void,
    ): void => {
      if (hasChunkOfText(params)) replayed.push(params, client, next);
      else other({ params, client }, next);
    };
    const other = <Params extends UpdateParams>(
      { params, client }: { readonly params: Params; readonly client: UpdateReceiver },
      next: (params: Params) => void,
    ): void => {
      replayed.flush(params.sessionId, client);
      next(params);
    };
    return {
      info: { name: "addContext", version: MIDDLEWARE_VERSION },
      fromClient: {
        "session/prompt": async ({ params, session, client }, next) =>
          await flushed(session.id, client, next(await withContext(params, session))),
        "session/load": ({ params, client }, next) => flushed(params.sessionId, client, next()),
      },
      fromAgent: { "session/update": { user_message_chunk: chunk, "*": other } },
      versions: [
        v2({
          fromClient: {
            "session/prompt": async ({ params, session }, next) => await next(await withContext(params, session)),
            "session/resume": ({ params, client }, next) => flushed(params.sessionId, client, next()),
          },
          fromAgent: {
            "session/update": {
              user_message_chunk: chunk,
              user_message: ({ params, client }, next) => {
                const { content } = params.update;
                const update = content ? { ...params.update, content: content.flatMap(withoutContext) } : params.update;
                other({ params: { ...params, update }, client }, next);
              },
              "*": other,
            },
          },
        }),
      ],
    };
  });
}

/** Returns the block of a user's message without contexts; nothing if it is a context. */
function withoutContext<Block extends { readonly type: string; readonly text?: unknown }>(block: Block): Block[] {
  if (block.type !== "text" || typeof block.text !== "string" || !block.text.includes(OPEN)) return [block];
  const filter = new ContextFilter();
  const text = filter.push(block.text) + filter.end();
  return text === "" ? [] : [{ ...block, text }];
}

async function textFor(
  context: string | ((session: ProxySession) => string | undefined | PromiseLike<string | undefined>),
  session: ProxySession,
): Promise<string | undefined> {
  const text = typeof context === "string" ? context : await context(session);
  if (text === undefined || text === "") return undefined;
  if (text.length > MAX_CONTEXT) throw new RangeError(`A context has more than ${MAX_CONTEXT} characters`);
  return text.replaceAll(CLOSE, "<\\/context>"); // the first end tag ends the context
}

function remember(last: Map<string, string>, id: string, text: string): void {
  last.delete(id);
  last.set(id, text);
  if (last.size <= MAX_SESSIONS) return;
  for (const oldest of last.keys()) {
    last.delete(oldest);
    return;
  }
}

/** Removes contexts from a text. It holds back what may be the beginning of one. */
class ContextFilter implements TextFilter {
  #held = "";
  #isInside = false;

  push(piece: string): string {
    this.#held += piece;
    let passed = "";
    for (;;) {
      if (this.#isInside) {
        const end = this.#held.indexOf(CLOSE);
        if (end === -1) {
          if (this.#held.length <= MAX_CONTEXT + OPEN.length) return passed;
          // A context is shorter, so the text is the user's.
          passed += OPEN;
          this.#isInside = false;
          continue;
        }
        this.#held = this.#held.slice(end + CLOSE.length);
        this.#isInside = false;
      }
      const start = this.#held.indexOf(OPEN);
      if (start === -1) {
        const kept = beginningOf(OPEN, this.#held);
        passed += this.#held.slice(0, this.#held.length - kept);
        this.#held = this.#held.slice(this.#held.length - kept);
        return passed;
      }
      passed += this.#held.slice(0, start);
      this.#held = this.#held.slice(start + OPEN.length);
      this.#isInside = true;
    }
  }

  end(): string {
    return this.#isInside ? OPEN + this.#held : this.#held;
  }
}

/** Returns the length of the longest end of `text` with which `word` begins. */
function beginningOf(word: string, text: string): number {
  for (let length = Math.min(word.length - 1, text.length); length > 0; length -= 1)
    if (text.endsWith(word.slice(0, length))) return length;
  return 0;
}
