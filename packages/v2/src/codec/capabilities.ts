import type * as v1 from "@acp-kit/types";
import type * as v2 from "@acp-kit/types/v2";
import type { Lost } from "./loss.js";
import { isObject, type JsonObject, present } from "./objects.js";

/** In version 2 a capability is on if it is an object, which may be empty; absent and `null` are off. */
const isOn = (marker: unknown): boolean => isObject(marker);
const markerOf = (flag: unknown): Record<string, never> | undefined =>
  flag === true || isObject(flag) ? {} : undefined;

/**
 * Converts the capabilities of a client of version 1. Version 2 has no files and terminals of the client, and no
 * capabilities for notices, compactions and boolean options: every client receives them.
 *
 * @see https://agentclientprotocol.com/protocol/v2/initialization#client-capabilities
 */
export function clientCapabilitiesToV2(capabilities: v1.ClientCapabilities, lost: Lost): v2.ClientCapabilities {
  const { fs, terminal, auth, elicitation, _meta } = capabilities;
  if (fs?.readTextFile || fs?.writeTextFile) lost("client_files");
  if (terminal) lost("client_terminals");
  return present({ auth: auth?.terminal ? { terminal: {} } : undefined, elicitation, _meta });
}

/**
 * Converts the capabilities of a client of version 2. The bridge sends notices, compactions and boolean options, so
 * they are on. `_meta.terminal_output` is the convention by which agents of version 1 report the terminals that they
 * run.
 */
export function clientCapabilitiesToV1(capabilities: v2.ClientCapabilities): v1.ClientCapabilities {
  const { auth, elicitation, _meta } = capabilities;
  return {
    fs: { readTextFile: false, writeTextFile: false },
    terminal: false,
    session: { notices: {}, compaction: {}, configOptions: { boolean: {} } },
    ...(isOn(auth?.terminal) && { auth: { terminal: true } }),
    ...present({ elicitation }),
    _meta: { ..._meta, terminal_output: true },
  };
}

/**
 * Returns the capabilities of an agent of version 2 as version 1 names them. In version 2 an agent with `session`
 * always lists, resumes and closes sessions, and replays a session from its start. Login methods imply a logout.
 *
 * @see https://agentclientprotocol.com/protocol/v2/initialization#agent-capabilities
 */
export function agentCapabilitiesToV1(capabilities: v2.AgentCapabilities, hasLogin: boolean): v1.AgentCapabilities {
  const { session, _meta } = capabilities;
  const { prompt, mcp } = session ?? {};
  return {
    loadSession: isOn(session),
    promptCapabilities: {
      image: isOn(prompt?.image),
      audio: isOn(prompt?.audio),
      embeddedContext: isOn(prompt?.embeddedContext),
      ...present({ _meta: prompt?._meta }),
    },
    mcpCapabilities: {
      http: isOn(mcp?.http),
      sse: false,
      ...(isOn(acpOf(mcp)) && { acp: true }),
      ...present({ _meta: mcp?._meta }),
    },
    sessionCapabilities: {
      ...(isOn(session) && { list: {}, resume: {}, close: {} }),
      ...present({
        delete: session?.delete,
        additionalDirectories: session?.additionalDirectories,
        _meta: session?._meta,
      }),
    },
    auth: hasLogin ? { logout: {} } : {},
    ...present({ _meta }),
  };
}

/**
 * Converts the capabilities of an agent of version 1. `session` is always there, because the bridge lists, resumes and
 * closes sessions for an agent that does not. MCP servers of type `stdio` are part of every agent of version 1.
 */
export function agentCapabilitiesToV2(capabilities: v1.AgentCapabilities): v2.AgentCapabilities {
  const { promptCapabilities: prompt, mcpCapabilities: mcp, sessionCapabilities: session, _meta } = capabilities;
  return {
    session: {
      prompt: present({
        image: markerOf(prompt?.image),
        audio: markerOf(prompt?.audio),
        embeddedContext: markerOf(prompt?.embeddedContext),
        _meta: prompt?._meta,
      }),
      mcp: { stdio: {}, ...present({ http: markerOf(mcp?.http), acp: markerOf(acpOf(mcp)), _meta: mcp?._meta }) },
      ...present({
        delete: session?.delete,
        additionalDirectories: session?.additionalDirectories,
        _meta: session?._meta,
      }),
    },
    ...present({ _meta }),
  };
}

/** Returns the capability MCP over ACP, which is not stable. Its methods are the same in both versions. */
function acpOf(mcp: object | null | undefined): unknown {
  return ((mcp ?? {}) as JsonObject).acp;
}

/** Returns the capabilities of a client that are not stable. They have the same form in both versions. */
export function unstableClientCapabilities(capabilities: object | null | undefined): object {
  const { subagents } = (capabilities ?? {}) as JsonObject;
  return present({ subagents });
}

/**
 * Returns the capabilities of an agent's sessions that are not stable. They have the same form in both versions. The
 * bridge leaves them out, because it does not convert their methods.
 */
export function unstableCapabilities(session: object | null | undefined): object {
  const { fork, systemPrompt } = (session ?? {}) as JsonObject;
  return present({ fork, systemPrompt });
}
