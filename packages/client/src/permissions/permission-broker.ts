import { type Diagnostic, onAbort } from "@acp-kit/protocol";
import type { IncomingRequestPermissionRequest, RequestPermissionOutcome } from "@acp-kit/types";
import type { ClientContext } from "../connect-options.js";
import { cancelledOutcome, outcomeOf } from "./permission-answer.js";
import type { PermissionAuthor, PermissionDecision, UndecidedReason } from "./permission-decision.js";
import type {
  PermissionContext,
  PermissionDecider,
  PermissionResult,
  PermissionRule,
  PermissionVerdict,
} from "./permission-rule.js";
import { toolCallPaths } from "./tool-call-paths.js";

/** What a {@link PermissionBroker} works with. */
export interface PermissionBrokerOptions {
  readonly rules: PermissionRule | readonly PermissionRule[];
  readonly onDecision?: ((decision: PermissionDecision) => void) | undefined;
  /** Never throws. */
  readonly report: (diagnostic: Diagnostic) => void;
  /** How many decisions are kept. */
  readonly maxDecisions: number;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

interface Pending {
  readonly request: IncomingRequestPermissionRequest;
  /** What a rule is told; each has other rules before it. */
  readonly contextOf: (reconsider: () => Promise<boolean>) => PermissionContext;
  settled: boolean;
  /** Once; what comes later changes nothing. */
  settle(outcome: RequestPermissionOutcome, by: PermissionAuthor): void;
}

/**
 * Brings permission requests to their decision: one rule after the other, until one answers.
 *
 * Whatever happens, a request is answered once, with an option that was offered or with `cancelled`.
 */
export class PermissionBroker {
  readonly #options: PermissionBrokerOptions;
  readonly #rules: readonly PermissionDecider[];
  readonly #pending = new Set<Pending>();
  #decisions: PermissionDecision[] = [];

  constructor(options: PermissionBrokerOptions) {
    this.#options = options;
    const { rules } = options;
    this.#rules = (Array.isArray(rules) ? (rules as readonly PermissionRule[]) : [rules as PermissionRule]).map(named);
  }

  /** The last decisions, the oldest first. */
  get decisions(): readonly PermissionDecision[] {
    return this.#decisions;
  }

  /**
   * Resolves with what is to be answered; never rejects. The signal of `origin` aborts when the agent takes the request back, or goes.
   * `tooLate`: nobody is to be asked any more.
   */
  decide(
    request: IncomingRequestPermissionRequest,
    origin: ClientContext,
    tooLate?: UndecidedReason,
  ): Promise<RequestPermissionOutcome> {
    const { now = Date.now } = this.#options;
    const { signal } = origin;
    const controller = new AbortController();
    const askedAt = now();
    const takenBack = (): void => pending.settle(cancelledOutcome, nobody("request_cancelled"));
    let answer: (outcome: RequestPermissionOutcome) => void = () => {};
    const answered = new Promise<RequestPermissionOutcome>((resolve) => {
      answer = resolve;
    });
    const pending: Pending = {
      request,
      contextOf: (reconsider) => ({
        session: origin.session,
        signal: controller.signal,
        get sessionSignal() {
          return origin.sessionSignal;
        },
        reconsider,
      }),
      settled: false,
      settle: (outcome, by) => {
        if (pending.settled) return;
        pending.settled = true;
        this.#pending.delete(pending);
        signal.removeEventListener("abort", takenBack);
        answer(outcome);
        this.#keep(pending, { outcome, by, askedAt, decidedAt: now() });
        controller.abort(new DOMException("The permission request is answered", "AbortError"));
      },
    };
    this.#pending.add(pending);
    if (tooLate !== undefined) pending.settle(cancelledOutcome, nobody(tooLate));
    else onAbort(signal, takenBack);
    if (!pending.settled)
      void this.#ask(pending, this.#rules).then(() => pending.settle(cancelledOutcome, nobody("no_answer")));
    return answered;
  }

  /** Answers what waits in a session, or in all of them, with `cancelled`. */
  cancel(reason: UndecidedReason, sessionId?: string): void {
    for (const pending of [...this.#pending]) {
      if (sessionId === undefined || pending.request.sessionId === sessionId)
        pending.settle(cancelledOutcome, nobody(reason));
    }
  }

  /** Asks some rules in their order. Resolves with whether the request is answered. */
  async #ask(pending: Pending, rules: readonly PermissionDecider[]): Promise<boolean> {
    const { request, contextOf } = pending;
    for (const [index, rule] of rules.entries()) {
      if (pending.settled) return true;
      let said: PermissionResult;
      try {
        said = await rule.decide(
          request,
          contextOf(() => this.#ask(pending, rules.slice(0, index))),
        );
      } catch (cause) {
        if (!pending.settled) this.#failed(`Permission rule "${rule.name}" failed; the request was cancelled`, cause);
        pending.settle(cancelledOutcome, nobody("rule_failed")); // no later rule may allow what this one could have forbidden
        return true;
      }
      const { answer, by } = isVerdict(said) ? said : { answer: said, by: { type: "rule", rule: rule.name } as const };
      if (answer === undefined) continue;
      const outcome = outcomeOf(answer, request.options);
      if (outcome === undefined && !pending.settled) {
        const message = `Permission rule "${rule.name}" chose what the agent did not offer; the request was cancelled`;
        this.#options.report({
          code: "invalid_permission_answer",
          message,
          data: { answer, options: request.options },
        });
      }
      pending.settle(outcome ?? cancelledOutcome, outcome === undefined ? nobody("not_offered") : by);
      return true;
    }
    return pending.settled;
  }

  #keep(
    { request, contextOf }: Pending,
    made: Pick<PermissionDecision, "outcome" | "by" | "askedAt" | "decidedAt">,
  ): void {
    const { sessionId, toolCall, options } = request;
    const { outcome } = made;
    const decision: PermissionDecision = {
      sessionId,
      toolCallId: toolCall.toolCallId,
      title: toolCall.title ?? undefined,
      kind: toolCall.kind ?? undefined,
      paths: toolCallPaths(toolCall),
      option:
        outcome.outcome === "selected" ? options.find(({ optionId }) => optionId === outcome.optionId) : undefined,
      ...made,
    };
    const { maxDecisions, onDecision } = this.#options;
    this.#decisions = [...this.#decisions, decision].slice(-maxDecisions);
    const hear = (who: string, listener: () => unknown): void => {
      const failed = (cause: unknown): void => this.#failed(`${who} failed`, cause);
      try {
        const result = listener();
        if (result !== undefined) Promise.resolve(result).catch(failed); // an async function is a legal listener
      } catch (cause) {
        failed(cause);
      }
    };
    const context = contextOf(async () => true);
    for (const rule of this.#rules) {
      hear(`Permission rule "${rule.name}"`, () => rule.decided?.(decision, request, context));
    }
    hear("onPermissionDecision", () => onDecision?.(decision));
  }

  #failed(message: string, cause: unknown): void {
    this.#options.report({ code: "handler_failed", message, cause });
  }
}

function named(rule: PermissionRule, index: number): PermissionDecider {
  if (typeof rule !== "function") return rule;
  return { name: rule.name || `rule ${index + 1}`, decide: rule };
}

function nobody(reason: UndecidedReason): PermissionAuthor {
  return { type: "nobody", reason };
}

function isVerdict(said: PermissionResult): said is PermissionVerdict {
  return typeof said === "object" && "by" in said;
}
