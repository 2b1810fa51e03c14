import { onAbort } from "@acp-kit/protocol";
import type { IncomingRequestPermissionRequest, PermissionOption } from "@acp-kit/types";
import type { Session } from "../session.js";
import type { Readable } from "../transcript/readable.js";
import { optionOfKind, type PermissionAnswer } from "./permission-answer.js";
import { PermissionQuestions } from "./permission-questions.js";
import type { PermissionContext, PermissionDecider, PermissionVerdict } from "./permission-rule.js";

/** A permission request that waits for the user. A snapshot: it is replaced when it changes. */
export interface PermissionQuestion {
  /** Increases with each question; fit for a list's `key`. */
  readonly id: number;
  /** The request, with the call filled in from the agent's earlier updates. */
  readonly request: IncomingRequestPermissionRequest;
  /** The options, in the agent's order. */
  readonly options: readonly PermissionOption[];
  readonly session: Session | undefined;
  /** `waiting`: other questions are shown before it. `asked`: it is shown. */
  readonly state: "waiting" | "asked";
  /** When it is rejected without an answer: milliseconds since 1970. Set only once it is shown, and only with `timeoutMs`. */
  readonly expiresAt: number | undefined;
  /** Answers it, also before it is shown. Returns `false` when it was too late: it has been answered or cancelled. */
  answer(answer: Exclude<PermissionAnswer, undefined>, person?: string): boolean;
}

/**
 * Shows a question to the user and resolves with the answer: a kind of option or one that was offered, `"cancelled"`, or nothing to leave it to
 * the others. Its signal aborts when the question needs no answer any more: close the dialog.
 */
export type ShowQuestion = (
  question: PermissionQuestion,
  context: Pick<PermissionContext, "signal">,
  // biome-ignore lint/suspicious/noConfusingVoidType: an async function without a return statement leaves the question
) => Promise<PermissionAnswer | void>;

/** Options of {@link askUser}. */
export interface AskUserOptions {
  /** Rejects a question that has no answer for this long after it was shown, in milliseconds. Default: never. */
  readonly timeoutMs?: number;
  /** How many questions are shown at the same time. Default 1: the others wait. */
  readonly concurrency?: number;
  /** The name in the audit trail. */
  readonly name?: string;
}

/** The rule that prompts users, and its open questions. */
export interface AskUser extends PermissionDecider {
  /** In the order of arrival. */
  readonly questions: Readable<readonly PermissionQuestion[]>;
}

/** Thrown when a user leaves the question to the others. */
const abstained = Symbol("abstained");

/**
 * Creates a rule that prompts the user, or several users by name: each is shown the question and the first answer wins. Without any, the questions
 * are only listed: a user interface reads `questions` and answers them.
 *
 * One question is shown at a time, across all connections that share this rule. Before a question that had to wait is shown, the rules before
 * this one are run again, because the user may have chosen "always" meanwhile. A `show` function that throws is ignored while others are shown; if no user
 * answers and one has thrown, the request is cancelled.
 *
 * @example
 * ```ts
 * const user = askUser(async ({ request, options }, { signal }) => dialog(request.toolCall.title, options, signal), { timeoutMs: 60_000 });
 * await connectAgent(transport, { permissions: [rememberChoices(), allowReads(), user] });
 * ```
 */
export function askUser(
  people: ShowQuestion | Readonly<Record<string, ShowQuestion>> = {},
  options: AskUserOptions = {},
): AskUser {
  const { timeoutMs = 0, concurrency = 1, name = "askUser" } = options;
  if (!(concurrency >= 1)) throw new TypeError(`askUser: concurrency is ${concurrency}; it must be at least 1`);
  const voters = Object.entries(typeof people === "function" ? { user: people } : people);
  const queue = new PermissionQuestions(concurrency);

  /** Shows a question to all users and resolves with the first answer; `undefined` if all of them leave it. */
  async function prompt(
    question: PermissionQuestion,
    context: PermissionContext,
  ): Promise<PermissionVerdict | undefined> {
    const votes = voters.map(async ([person, show]): Promise<PermissionVerdict> => {
      const answer = await show(question, { signal: context.signal });
      if (answer === undefined) throw abstained;
      return { answer, by: { type: "person", rule: name, person } };
    });
    try {
      return await Promise.any(votes);
    } catch (error) {
      const failed: unknown = (error as AggregateError).errors.find((reason) => reason !== abstained);
      if (failed !== undefined) throw failed;
      return undefined;
    }
  }

  return {
    name,
    questions: queue.list,
    decide(request, context) {
      return new Promise((resolve, reject) => {
        const id = queue.nextId();
        let timer: ReturnType<typeof setTimeout> | undefined;
        const done = (end: () => void): boolean => {
          if (!queue.remove(id)) return false;
          clearTimeout(timer);
          end();
          return true;
        };
        const settled = (): void => {
          done(() => resolve(undefined)); // decided elsewhere: the result is not used any more
          queue.free(id);
        };
        const leave = (): void => {
          if (done(() => resolve(undefined))) queue.free(id);
        };
        const expire = (): void => {
          const answer = optionOfKind(request.options, "reject_once") ? "reject_once" : "cancelled";
          done(() => resolve({ answer, by: { type: "timeout", rule: name, timeoutMs } }));
        };
        queue.add(id, {
          request,
          options: request.options,
          session: context.session,
          answer: (answer, person = "user") =>
            done(() => resolve({ answer, by: { type: "person", rule: name, person } })),
          show: async (markShown, waited) => {
            if (waited && (await context.reconsider())) return;
            const question = markShown(timeoutMs > 0 ? Date.now() + timeoutMs : undefined);
            if (question === undefined) return;
            if (timeoutMs > 0) timer = setTimeout(expire, timeoutMs);
            if (voters.length === 0) return;
            try {
              const verdict = await prompt(question, context);
              if (verdict === undefined) leave();
              else done(() => resolve(verdict));
            } catch (error) {
              done(() => reject(error));
            }
          },
        });
        onAbort(context.signal, settled);
      });
    },
  };
}
