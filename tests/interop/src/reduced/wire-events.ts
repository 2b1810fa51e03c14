import type { TranscriptEvent } from "@acp-kit/client";
import type { PermissionRequestedEvent, PromptSentEvent } from "@acp-kit/client/internal";
import type { RecordingEntry } from "@acp-kit/testing/recording";
import type { RequestPermissionOutcome, SessionConfigOption, SessionModeState, StopReason } from "@acp-kit/types";
import { clientDecoders } from "@acp-kit/types/decode";

interface Message {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Members of recorded messages, with the names of the protocol. */
interface Params {
  readonly sessionId: string;
  readonly prompt: PromptSentEvent["prompt"];
  readonly toolCall: PermissionRequestedEvent["toolCall"];
  readonly options: PermissionRequestedEvent["options"];
  readonly modeId: string;
}

interface Result {
  readonly sessionId: string;
  readonly stopReason: StopReason;
  readonly outcome: RequestPermissionOutcome;
  readonly modes: SessionModeState;
  readonly configOptions: SessionConfigOption[];
}

/** Converts a recorded connection to the events of its sessions' transcripts, as a client would receive them. */
export function wireEvents(entries: readonly RecordingEntry[]): Map<string, TranscriptEvent[]> {
  const sessions = new Map<string, TranscriptEvent[]>();
  const open = new Map<string, Message>();
  const tell = (sessionId: unknown, event: TranscriptEvent): void => {
    const id = String(sessionId);
    sessions.set(id, [...(sessions.get(id) ?? []), event]);
  };
  for (const entry of entries) {
    if (entry.kind !== "message") continue;
    const { from } = entry;
    const message = entry.message as Message;
    const other = from === "agent" ? "client" : "agent";
    if (message.method === undefined) {
      const key = `${other} ${String(message.id)}`;
      const request = open.get(key);
      open.delete(key);
      if (request !== undefined) answered(request, message, tell);
      continue;
    }
    if (message.id !== undefined) open.set(`${from} ${String(message.id)}`, message);
    asked(message, tell);
  }
  return sessions;
}

function asked({ id, method, params }: Message, tell: (sessionId: unknown, event: TranscriptEvent) => void): void {
  const { sessionId, prompt } = (params ?? {}) as Params;
  if (method === "session/prompt" && Array.isArray(prompt)) tell(sessionId, { type: "prompt_sent", prompt });
  if (method === "session/load") tell(sessionId, { type: "replay_began" });
  if (method === "session/update") {
    const read = clientDecoders.params["session/update"].try(structuredClone(params));
    if (!read.ok) throw new Error(`The decoder refused an update: ${JSON.stringify(read.issues)}`);
    tell(sessionId, { type: "update", update: read.value.update });
  }
  if (method === "session/request_permission") {
    const { toolCall, options } = params as Params;
    tell(sessionId, { type: "permission_requested", requestId: String(id), toolCall, options });
  }
}

function answered(
  { id, method, params }: Message,
  { result, error }: Message,
  tell: (sessionId: unknown, event: TranscriptEvent) => void,
): void {
  const { sessionId, toolCall } = (params ?? {}) as Params;
  const answer = (result ?? {}) as Result;
  if (method === "session/prompt") {
    const why = error === undefined ? { stopReason: answer.stopReason, response: answer } : { error };
    tell(sessionId, { type: "turn_ended", ...why });
  } else if (method === "session/new" && error === undefined) {
    tell(answer.sessionId, { type: "session_opened", ...answer });
  } else if (method === "session/load" || method === "session/resume") {
    if (error === undefined) tell(sessionId, { type: "session_opened", ...answer, sessionId });
    if (method === "session/load") tell(sessionId, { type: "replay_ended", failed: error !== undefined });
  } else if (method === "session/request_permission") {
    const { toolCallId } = toolCall;
    tell(sessionId, { type: "permission_decided", requestId: String(id), toolCallId, outcome: answer.outcome });
  } else if (method === "session/set_mode" && error === undefined) {
    const { modeId } = params as Params;
    tell(sessionId, { type: "update", update: { sessionUpdate: "current_mode_update", currentModeId: modeId } });
  } else if (method === "session/set_config_option" && error === undefined) {
    const { configOptions } = answer;
    tell(sessionId, { type: "update", update: { sessionUpdate: "config_option_update", configOptions } });
  }
}
