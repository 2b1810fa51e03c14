import { isJsonObject } from "@acp-kit/jsonrpc/internal";
import { memberOf } from "../member-of.js";
import type { Step } from "./step.js";

/**
 * Follows the work of an agent of version 2 in a recording. There, the response to a prompt only says that the agent
 * has inserted it into the conversation, and the next `idle` state is the end of its work.
 */
export class WorkOf {
  /** The prompts by the ids of their user messages, which the responses contain. */
  readonly #promptOf = new Map<string, Step>();
  readonly #sessions = new Map<string, SessionWork>();

  constructor(steps: readonly Step[]) {
    for (const step of steps) {
      const messageId = insertedId(step);
      if (messageId !== undefined && step.request !== undefined)
        this.#promptOf.set(`${step.session} ${messageId}`, step.request);
    }
  }

  /** Reads the next step, and returns the prompt that the agent works on, if the step is about its work. */
  read(step: Step): Step | undefined {
    let work = this.#sessions.get(step.session);
    if (work === undefined) {
      work = { isResuming: false, reported: new Set(), ended: new Map(), prompts: new Set(), latest: undefined };
      this.#sessions.set(step.session, work);
    }
    if (step.method === "session/resume") work.isResuming = step.kind === "request";
    if (work.isResuming) return undefined;
    const messageId = insertedId(step);
    if (messageId !== undefined && step.request !== undefined) this.#inserted(step.request, messageId, work);
    const { sessionUpdate, state, messageId: reported } = updateOf(step);
    if (sessionUpdate === "user_message" && typeof reported === "string") {
      work.reported.add(reported);
      work.latest = this.#promptOf.get(`${step.session} ${reported}`) ?? work.latest;
    }
    const { latest } = work;
    if (sessionUpdate === "state_update" && state === "idle") ended(work, step);
    return latest;
  }

  #inserted(prompt: Step, messageId: string, work: SessionWork): void {
    const end = work.ended.get(messageId);
    if (end !== undefined) {
      prompt.end = end; // the response came after the end
      return;
    }
    work.prompts.add(prompt);
    work.latest = prompt;
  }
}

/** The work of one session. */
interface SessionWork {
  /** Whether the session is being resumed: its updates are then a replay, and not the work on a prompt. */
  isResuming: boolean;
  /** The user messages of the current work. */
  readonly reported: Set<string>;
  /** The end of the work that contains a user message. */
  readonly ended: Map<string, Step>;
  /** The inserted prompts whose work has not ended. */
  readonly prompts: Set<Step>;
  /** The prompt that was inserted last, until the work ends. */
  latest: Step | undefined;
}

function ended(work: SessionWork, idle: Step): void {
  for (const messageId of work.reported) work.ended.set(messageId, idle);
  for (const prompt of work.prompts) {
    prompt.end = idle;
    idle.endOf = prompt;
  }
  work.reported.clear();
  work.prompts.clear();
  work.latest = undefined;
}

/** Whether the agent has chosen version 2 of the protocol. */
export function isVersion2(steps: readonly Step[]): boolean {
  const opening = steps.find(({ method, kind }) => method === "initialize" && kind === "response");
  return memberOf(opening?.message.result, "protocolVersion") === 2;
}

/** Returns the id of the user message in the response to a prompt. */
function insertedId({ kind, method, message }: Step): string | undefined {
  if (kind !== "response" || method !== "session/prompt") return undefined;
  const messageId = memberOf(message.result, "messageId");
  return typeof messageId === "string" ? messageId : undefined;
}

function updateOf({ method, message }: Step): Readonly<Record<string, unknown>> {
  const update = method === "session/update" ? memberOf(message.params, "update") : undefined;
  return isJsonObject(update) ? (update as Record<string, unknown>) : {};
}
