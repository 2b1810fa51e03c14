import { isJsonObject, type JsonObject } from "@acp-kit/jsonrpc/internal";
import { hasCapability } from "@acp-kit/protocol";
import { checkOptions } from "@acp-kit/protocol/internal";
import { type AcpProxy, createProxy } from "../create-proxy.js";
import type { ProxySession } from "../proxy-session.js";
import { v2 } from "../v2/index.js";
import { MIDDLEWARE_VERSION } from "./version.js";

/**
 * How instructions reach an agent: `system_prompt`, by the capability of the protocol; `meta`, by a member of `_meta`
 * that the agent is known to read; `prompt`, as text in the first prompt of a session.
 */
export type InstructionsWay = "system_prompt" | "meta" | "prompt";

/** Options of {@link addInstructions}. */
export interface AddInstructionsOptions {
  /** Receives the way that an agent's instructions take, for each session that is opened. */
  readonly onWay?: (way: InstructionsWay) => void;
}

/** The names of agents that read `_meta.systemPrompt` although they may not advertise the capability. */
const readsMeta: ReadonlySet<unknown> = new Set([
  "@agentclientprotocol/claude-agent-acp",
  "@zed-industries/claude-agent-acp",
  "@zed-industries/claude-code-acp",
]);

/**
 * Creates an ACP proxy that adds instructions to the system prompt of every session. It appends to a system prompt of
 * the client and never replaces one. For agents without a system prompt, the instructions are a text at the end of the
 * first prompt of each new session.
 *
 * @throws {InvalidOptionError} when an option is invalid.
 */
export function addInstructions(text: string, options: AddInstructionsOptions = {}): AcpProxy {
  checkOptions("addInstructions", options, { onWay: "function" });
  return createProxy(() => {
    const agent: { way: InstructionsWay } = { way: "prompt" };
    const open = <Params extends object>(params: Params): Params => {
      options.onWay?.(agent.way);
      if (agent.way === "system_prompt") return withSystemPrompt(params, text);
      return agent.way === "meta" ? withMeta(params, text) : params;
    };
    const initialize = async <Result>(_: unknown, next: () => Promise<Result>): Promise<Result> => {
      const result = await next();
      agent.way = wayOf(result);
      return result;
    };
    const prompt = <Params extends { readonly prompt: readonly unknown[] }, Result>(
      { params, session }: { readonly params: Params; readonly session: ProxySession },
      next: (params?: Params) => Promise<Result>,
    ): Promise<Result> =>
      agent.way === "prompt" && session.isFirstPrompt
        ? next({ ...params, prompt: [...params.prompt, { type: "text", text }] })
        : next();
    return {
      info: { name: "addInstructions", version: MIDDLEWARE_VERSION },
      fromClient: {
        initialize,
        "session/new": ({ params }, next) => next(open(params)),
        "session/load": ({ params }, next) => next(open(params)),
        "session/resume": ({ params }, next) => next(open(params)),
        "session/prompt": prompt,
      },
      versions: [
        v2({
          fromClient: {
            initialize,
            "session/new": ({ params }, next) => next(open(params)),
            "session/resume": ({ params }, next) => next(open(params)),
            "session/prompt": prompt,
          },
        }),
      ],
    };
  });
}

/** Returns the way for an agent with this result of `initialize`, of either version. */
function wayOf(result: unknown): InstructionsWay {
  const { agentCapabilities, agentInfo, capabilities, info = agentInfo } = isJsonObject(result) ? result : {};
  const paths = [
    [agentCapabilities, "agent.sessionCapabilities.systemPrompt"],
    [capabilities, "agent.session.systemPrompt"],
  ] as const;
  if (paths.some(([given, path]) => hasCapability(given, path))) return "system_prompt";
  return isJsonObject(info) && readsMeta.has(info.name) ? "meta" : "prompt";
}

function withSystemPrompt<Params extends object>(params: Params, text: string): Params {
  const { systemPrompt } = params as { readonly systemPrompt?: unknown };
  const given: JsonObject = isJsonObject(systemPrompt) ? systemPrompt : { mode: "append", content: [] };
  const content: readonly unknown[] = Array.isArray(given.content) ? given.content : [];
  return { ...params, systemPrompt: { ...given, content: [...content, { type: "text", text }] } };
}

function withMeta<Params extends object>(params: Params, text: string): Params {
  const meta = (params as { readonly _meta?: unknown })._meta;
  const given = isJsonObject(meta) ? meta.systemPrompt : undefined;
  const joined = (own: unknown): string => (typeof own === "string" && own !== "" ? `${own}\n\n${text}` : text);
  // A text replaces the agent's own system prompt, because the client wants that; an object appends to it.
  const systemPrompt =
    typeof given === "string"
      ? joined(given)
      : { ...(isJsonObject(given) && given), append: joined(isJsonObject(given) ? given.append : undefined) };
  return { ...params, _meta: { ...(isJsonObject(meta) && meta), systemPrompt } };
}
