import type { AgentDefinition, Turn } from "@acp-kit/agent";
import { RpcError } from "@acp-kit/agent";
import type { IncomingSessionUpdate } from "@acp-kit/types";

/** One step of an agent in a turn. */
export type Step =
  | { readonly do: "say" | "think"; readonly text: string }
  | { readonly do: "plan"; readonly entries: number }
  | {
      readonly do: "tool";
      readonly title: string;
      readonly answer: "allow_once" | "reject_once" | "cancelled" | "unasked";
    }
  | { readonly do: "read" | "write"; readonly path: string }
  | { readonly do: "all at once"; readonly count: number }
  /** The client cancels the turn when it receives this update; the remaining steps are skipped. */
  | { readonly do: "be cancelled" };

/** The end of a turn that is not cancelled: a stop reason, or an error with this code. */
export type Ending = "end_turn" | "refusal" | "max_tokens" | 1234;

export interface ScriptedTurn {
  readonly steps: readonly Step[];
  readonly ending: Ending;
}

/** The turns of each session. */
export type Dialogue = readonly (readonly ScriptedTurn[])[];

/** The updates and the end of a turn as a client receives them, in the form of {@link wordOf}. */
export interface Transcript {
  readonly updates: readonly string[];
  readonly end: string;
}

export const CANCEL_ME = "cancel me";
/** The content of a file. */
export const contentOf = (path: string): string => `content of ${path}`;

/** Describes an update in one word. */
export function wordOf(update: IncomingSessionUpdate): string {
  const { sessionUpdate, content, entries, status, title } = update as {
    sessionUpdate: string;
    content?: { text?: string };
    entries?: unknown[];
    status?: string;
    title?: string;
  };
  return [sessionUpdate, content?.text, entries?.length, title, status].filter((part) => part !== undefined).join(" ");
}

/** The updates of a turn that the client must receive in any case. */
export function expected({ steps, ending }: ScriptedTurn): Transcript {
  const updates: string[] = [];
  for (const step of steps) {
    if (step.do === "say") updates.push(`agent_message_chunk ${step.text}`);
    else if (step.do === "think") updates.push(`agent_thought_chunk ${step.text}`);
    else if (step.do === "plan") updates.push(`plan ${step.entries}`);
    else if (step.do === "read") updates.push(`agent_message_chunk ${contentOf(step.path)}`);
    else if (step.do === "write") updates.push(`agent_message_chunk wrote ${step.path}`);
    else if (step.do === "all at once") {
      for (let n = 0; n < step.count; n += 1) updates.push(`agent_message_chunk ${n} ${contentOf(String(n))}`);
    } else if (step.do === "tool") {
      const allowed = step.answer === "allow_once" || step.answer === "unasked";
      updates.push(`tool_call ${step.title}`, `tool_call_update ${allowed ? "completed" : "failed"}`);
    } else {
      updates.push(`agent_message_chunk ${CANCEL_ME}`);
      return { updates, end: "cancelled" };
    }
  }
  return { updates, end: String(ending) };
}

/**
 * Creates an agent that runs a dialogue. For example, prompt `2` of session `1` is its third turn. The agent calls
 * `pause` between steps.
 */
export function dialogueAgent(dialogue: Dialogue, pause: () => Promise<void>): AgentDefinition {
  let sessions = 0;
  return {
    info: { name: "dialogue", version: "1.0.0" },
    newSession() {
      sessions += 1;
      return { sessionId: String(sessions - 1) };
    },
    setSessionMode() {},
    async prompt(turn) {
      const { steps, ending } = (dialogue[Number(turn.sessionId)] ?? [])[Number(turn.text)] as ScriptedTurn;
      for (const step of steps) {
        await pause();
        await play(turn, step);
        if (turn.signal.aborted) return "end_turn"; // the stop reason of a cancelled turn is always `cancelled`
      }
      if (typeof ending === "number") throw new RpcError(ending, "as scripted");
      return ending;
    },
  };
}

async function play(turn: Turn, step: Step): Promise<void> {
  const { client, signal } = turn;
  if (step.do === "say") void turn.message(step.text);
  else if (step.do === "think") void turn.thought(step.text);
  else if (step.do === "plan") {
    const entry = { content: "do", priority: "low", status: "pending" } as const;
    void turn.plan(Array.from({ length: step.entries }, () => entry));
  } else if (step.do === "read") {
    const { content } = await client.readTextFile({ path: step.path });
    void turn.message(content);
  } else if (step.do === "write") {
    await client.writeTextFile({ path: step.path, content: "" });
    void turn.message(`wrote ${step.path}`);
  } else if (step.do === "all at once") {
    const reads = Array.from({ length: step.count }, (_, n) => client.readTextFile({ path: String(n) }));
    for (const [n, { content }] of (await Promise.all(reads)).entries()) void turn.message(`${n} ${content}`);
  } else if (step.do === "tool") {
    const call = turn.toolCall({ title: step.title });
    const allowed = step.answer === "unasked" || (await call.requestPermission()).allowed;
    if (allowed) void call.complete();
    else void call.fail();
  } else {
    void turn.message(CANCEL_ME);
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
  }
}
