import type { ClientCapabilities } from "@acp-kit/types";
import type { SessionKey } from "./engine/session-record.js";
import type { Outcome } from "./journal/journal-entry.js";
import type { Retention } from "./journal/retention.js";

/** A request of an agent to which no client can respond. */
export interface UnattendedRequest {
  readonly session: SessionKey;
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** The policy of a gateway for its sessions. The application that creates the gateway defines the policy. */
export interface GatewayPolicy {
  /**
   * The requests of the agent that the gateway sends to an attached client: `files` for `fs/*`, `terminals` for
   * `terminal/*`. Without delegation, the gateway does not advertise these capabilities, and the agent uses the files
   * and terminals of its own machine. Default: neither.
   */
  readonly delegate?: { readonly files?: boolean; readonly terminals?: boolean };
  /** How long a request of the agent waits for a client to attach, in milliseconds. Default 300,000. */
  readonly unattendedTimeoutMs?: number;
  /**
   * Decides a request of the agent after `unattendedTimeoutMs` without a client. If a client attaches before the
   * decision, the decision has no effect. Default {@link rejectUnattended}.
   */
  readonly unattended?: (request: UnattendedRequest) => Outcome | PromiseLike<Outcome>;
  /**
   * How long a session stays open at its agent without a turn, in milliseconds. Then it sleeps: the agent's process
   * ends, and the next prompt starts it again. Default 600,000.
   */
  readonly sleepAfterMs?: number;
  /**
   * The same time for a session whose agent can neither resume nor load it: if it sleeps, the agent has forgotten it,
   * and its next prompt gets the error `session_lost`. Has no effect if it is shorter than `sleepAfterMs`. Default
   * 86,400,000, which is a day.
   */
  readonly loseAfterMs?: number;
  /**
   * The limits of the history of each session. The gateway removes the oldest turns that exceed a limit. It does so
   * after a turn, and before a client reads an expired turn. A client with a cursor to a removed turn gets the error
   * `cursor_expired`. Default: no limits.
   */
  readonly retention?: Retention;
  /**
   * How long an agent may take to end a cancelled turn, or to open the session for it, before the gateway ends the
   * agent, in milliseconds. Default 30,000.
   */
  readonly cancelGraceMs?: number;
}

/** The named defaults of a {@link GatewayPolicy}. */
export const policyDefaults = {
  unattendedTimeoutMs: 300_000,
  sleepAfterMs: 600_000,
  loseAfterMs: 86_400_000,
  cancelGraceMs: 30_000,
} as const;

/** Rejects permission requests, cancels elicitations, and refuses all other requests with the error `-32603`. */
export function rejectUnattended({ method, params }: UnattendedRequest): Outcome {
  if (method === "elicitation/create") return { result: { action: "cancel" } };
  if (method !== "session/request_permission") return { error: { code: -32603, message: "No client is attached" } };
  const options = Array.isArray(params.options) ? (params.options as readonly unknown[]) : [];
  for (const kind of ["reject_once", "reject_always"]) {
    const option = options.find((one) => (one as { readonly kind?: unknown } | null)?.kind === kind);
    const optionId = (option as { readonly optionId?: unknown } | undefined)?.optionId;
    if (typeof optionId === "string") return { result: { outcome: { outcome: "selected", optionId } } };
  }
  return { result: { outcome: { outcome: "cancelled" } } };
}

/**
 * The client capabilities that the gateway offers to agents: files and terminals only if the policy delegates them to
 * attached clients, and elicitations (forms and web pages) always.
 */
export function capabilitiesFor({ delegate = {} }: GatewayPolicy): ClientCapabilities {
  const { files = false, terminals = false } = delegate;
  return { fs: { readTextFile: files, writeTextFile: files }, terminal: terminals, elicitation: { form: {}, url: {} } };
}

/**
 * Returns whether a request uses files or terminals of a client's machine. Only a client with the matching capability
 * may receive this request.
 */
export function isDelegated(method: string): boolean {
  return method.startsWith("fs/") || method.startsWith("terminal/");
}
