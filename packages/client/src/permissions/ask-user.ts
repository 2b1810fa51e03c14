import { after, checkOptions, type OptionKinds, onAbort } from "@acp-kit/protocol/internal";
import type { Readable } from "../transcript/readable.js";
import { type PermissionQuestion, PermissionQuestions } from "./permission-questions.js";
import type { AttributedDecision, NamedPermissionRule, PermissionContext } from "./permission-rule.js";
import type { RuleDecision } from "./rule-decision.js";

/**
 * Shows a permission question to one user and resolves with the user's decision: the kind of the option to choose, an
 * outcome with the id of an offered option, `"reject"`, `"cancelled"`, or `undefined` if this user does not decide. The
 * signal aborts when the question no longer needs a decision; the function should then close its dialog.
 */
export type ShowQuestion = (
  question: PermissionQuestion,
  context: Pick<PermissionContext, "signal">,
  // biome-ignore lint/suspicious/noConfusingVoidType: an async function without a return statement decides nothing
) => Promise<RuleDecision | void>;

/** Options of {@link askUser}. */
export interface AskUserOptions {
  /**
   * The time in milliseconds after which a question that is shown is rejected if the user has not decided. By default,
   * there is no limit.
   */
  readonly timeoutMs?: number;
  /** The number of questions that are shown at the same time; the others wait. The default is 1. */
  readonly concurrency?: number;
  /** The name of this rule in permission decisions. The default is `askUser`. */
  readonly name?: string;
}

/** The permission rule that {@link askUser} creates, with its open questions. */
export interface AskUser extends NamedPermissionRule {
  /** The open questions in the order in which the requests arrived. */
  readonly questions: Readable<readonly PermissionQuestion[]>;
}

/**
 * Thrown if a `show` function returns `undefined`, so that `Promise.any` waits for the decisions of the other users.
 */
const abstained = Symbol("abstained");

/**
 * Creates a permission rule that prompts one user or several named users. The rule shows a question to all users at the
 * same time, and the first decision wins. Without a `show` function, the rule only lists the questions in `questions`,
 * and the user interface decides a question by a call of its `decide`.
 *
 * The rule shows at most `concurrency` questions at the same time (default 1), across all connections that share the
 * rule. Before it shows a question that had to wait, it runs the earlier rules again, because the user may have chosen
 * "always" in the meantime. If a `show` function throws, the other users can still decide; if they don't, the tool
 * call is rejected. If the functions of all users return `undefined`, the next rule decides.
 *
 * @example
 * ```ts
 * const show: ShowQuestion = async ({ request, options }, { signal }) =>
 *   dialog(request.toolCall.title, options, signal);
 * const user = askUser(show, { timeoutMs: 60_000 });
 * await connectAgent(transport, { permissions: [rememberDecisions(), allowReads(), user] });
 * ```
 */
export function askUser(
  people: ShowQuestion | Readonly<Record<string, ShowQuestion>> = {},
  options: AskUserOptions = {},
): AskUser {
  checkOptions("askUser", options, optionKinds);
  const { timeoutMs = 0, concurrency = 1, name = "askUser" } = options;
  if (!(concurrency >= 1))
    throw new TypeError(`askUser: the option concurrency is ${concurrency}; it must be at least 1`);
  const voters = Object.entries(typeof people === "function" ? { user: people } : people);
  const queue = new PermissionQuestions(concurrency);

  /** Shows a question to all users and resolves with the first decision, or with `undefined` if no user decides. */
  async function prompt(
    question: PermissionQuestion,
    context: PermissionContext,
  ): Promise<AttributedDecision | undefined> {
    const votes = voters.map(async ([person, show]): Promise<AttributedDecision> => {
      const decision = await show(question, { signal: context.signal });
      if (decision == null) throw abstained;
      return { decision, by: { type: "person", rule: name, person } };
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
        let stopTimer = (): void => {};
        const done = (end: () => void): boolean => {
          if (!queue.remove(id)) return false;
          stopTimer();
          end();
          return true;
        };
        const settled = (): void => {
          done(() => resolve(undefined)); // the request was decided or cancelled elsewhere, so this result is not used
          queue.free(id);
        };
        const leave = (): void => {
          if (done(() => resolve(undefined))) queue.free(id);
        };
        const expire = (): void => {
          done(() => resolve({ decision: "reject", by: { type: "timeout", rule: name, timeoutMs } }));
        };
        queue.add(id, {
          request,
          options: request.options,
          session: context.session,
          decide: (decision, person = "user") =>
            done(() => resolve({ decision, by: { type: "person", rule: name, person } })),
          show: async (markShown, waited) => {
            try {
              if (waited && (await context.reconsider())) return;
              const isLimited = timeoutMs > 0 && timeoutMs < Number.POSITIVE_INFINITY;
              const question = markShown(isLimited ? Date.now() + timeoutMs : undefined);
              if (question === undefined) return;
              if (isLimited) stopTimer = after(timeoutMs, expire, { keepAlive: true });
              if (voters.length === 0) return;
              const decided = await prompt(question, context);
              if (decided === undefined) leave();
              else done(() => resolve(decided));
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

const optionKinds: OptionKinds<AskUserOptions> = { timeoutMs: "value", concurrency: "value", name: "value" };
