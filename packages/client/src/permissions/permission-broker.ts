import type { Diagnostic } from "@acp-kit/protocol";
import { onAbort, shorten } from "@acp-kit/protocol/internal";
import type { IncomingRequestPermissionRequest, RequestPermissionOutcome } from "@acp-kit/types";
import type { ClientContext } from "../client-context.js";
import type { PermissionAuthor, PermissionDecision, UndecidedReason } from "./permission-decision.js";
import type {
  AttributedDecision,
  DecidePermission,
  NamedPermissionRule,
  PermissionContext,
  PermissionRule,
} from "./permission-rule.js";
import { cancelledOutcome, outcomeOf, rejectedOutcome } from "./rule-decision.js";
import { toolCallPaths } from "./tool-call-paths.js";

/** Options of a {@link PermissionBroker}. */
export interface PermissionBrokerOptions {
  readonly rules: PermissionRule | readonly PermissionRule[];
  readonly onDecision?: ((decision: PermissionDecision) => void) | undefined;
  /** Reports a diagnostic. Never throws. */
  readonly report: (diagnostic: Diagnostic) => void;
  /** The number of decisions to keep. The default is 1,000. */
  readonly maxDecisions?: number;
  /** Returns the current time in milliseconds since 1970. The default is `Date.now`. */
  readonly now?: () => number;
}

type RuleResult = Awaited<ReturnType<DecidePermission>>;

interface Pending {
  readonly request: IncomingRequestPermissionRequest;
  /** The session that owns the request: that of the request, or the one that owns its child session. */
  readonly owner: string;
  /** Returns the context for one rule. `reconsider` is different for each rule: it runs the rules before this rule. */
  readonly contextOf: (reconsider: () => Promise<boolean>) => PermissionContext;
  settled: boolean;
  /** Settles the request. Only the first call has an effect. */
  settle(outcome: RequestPermissionOutcome, by: PermissionAuthor): void;
}

/**
 * Decides permission requests by running the rules in order until one decides.
 *
 * Each request gets exactly one response: an option that the agent offered, or `cancelled`. A request that no rule
 * decides gets the mildest rejection, because agents end the turn on `cancelled`.
 */
export class PermissionBroker {
  readonly #options: PermissionBrokerOptions;
  readonly #rules: readonly NamedPermissionRule[];
  readonly #pending = new Set<Pending>();
  #decisions: PermissionDecision[] = [];
  #hasReported = false;

  constructor(options: PermissionBrokerOptions) {
    this.#options = options;
    const { rules } = options;
    this.#rules = (Array.isArray(rules) ? (rules as readonly PermissionRule[]) : [rules as PermissionRule]).map(named);
  }

  /** The latest decisions, oldest first. */
  get decisions(): readonly PermissionDecision[] {
    return this.#decisions;
  }

  /**
   * Decides a request and resolves with the outcome; never rejects. The signal of `origin` aborts when the agent
   * cancels the request or disconnects. If `tooLate` is set, the request is cancelled for that reason and no rule runs.
   * The rules run when `ready` has resolved.
   */
  decide(
    request: IncomingRequestPermissionRequest,
    origin: ClientContext,
    tooLate?: UndecidedReason,
    ready?: Promise<void>,
  ): Promise<RequestPermissionOutcome> {
    const { now = Date.now } = this.#options;
    const { signal } = origin;
    const controller = new AbortController();
    const requestedAt = now();
    const onCancelled = (): void => pending.settle(cancelledOutcome, undecided("request_cancelled"));
    let respond: (outcome: RequestPermissionOutcome) => void = () => {};
    const response = new Promise<RequestPermissionOutcome>((resolve) => {
      respond = resolve;
    });
    const pending: Pending = {
      request,
      owner: origin.session?.sessionId ?? request.sessionId,
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
        signal.removeEventListener("abort", onCancelled);
        respond(outcome);
        this.#keep(pending, { outcome, by, requestedAt, decidedAt: now() });
        controller.abort(new DOMException("The permission request was decided", "AbortError"));
      },
    };
    this.#pending.add(pending);
    if (tooLate !== undefined) pending.settle(cancelledOutcome, undecided(tooLate));
    else onAbort(signal, onCancelled);
    if (!pending.settled) void this.#decideWhen(ready, pending).then(() => this.#rejectUndecided(pending));
    return response;
  }

  /**
   * Settles the pending requests of a session for which `isMeant` returns `true` with `cancelled`, also those of its
   * child sessions, which can outlive a turn that ends by itself.
   */
  cancel(reason: UndecidedReason, sessionId: string, isMeant: (toolCallId: string) => boolean = () => true): void {
    for (const { request, owner, settle } of [...this.#pending]) {
      const of = reason === "turn_ended" ? request.sessionId : owner;
      if (of === sessionId && isMeant(request.toolCall.toolCallId)) settle(cancelledOutcome, undecided(reason));
    }
  }

  /** Settles all pending requests with `cancelled`. */
  cancelAll(reason: UndecidedReason): void {
    for (const pending of [...this.#pending]) pending.settle(cancelledOutcome, undecided(reason));
  }

  async #decideWhen(ready: Promise<void> | undefined, pending: Pending): Promise<boolean> {
    if (ready !== undefined) await ready;
    return this.#decide(pending, this.#rules);
  }

  async #decide(pending: Pending, rules: readonly NamedPermissionRule[]): Promise<boolean> {
    const { request, contextOf } = pending;
    for (const [index, rule] of rules.entries()) {
      if (pending.settled) return true;
      try {
        const result = await rule.decide(
          request,
          contextOf(() => this.#decide(pending, rules.slice(0, index))),
        );
        if (this.#use(result, rule, pending)) return true;
      } catch (cause) {
        if (!pending.settled)
          this.#failed(`The permission rule "${rule.name}" failed; the tool call was rejected`, cause);
        // A later rule must not allow what this rule might have rejected
        pending.settle(rejectedOutcome(request.options), undecided("rule_failed"));
        return true;
      }
    }
    return pending.settled;
  }

  /** Rejects a request that no rule decided, and reports the first one, because a missing rule is a common mistake. */
  #rejectUndecided({ request, settled, settle }: Pending): void {
    if (settled) return;
    if (!this.#hasReported) {
      const { toolCallId, title } = request.toolCall;
      const message = `No permission rule decided about the tool call "${shorten(title || toolCallId)}"; it was rejected, and so will be others. Add a rule such as askUser(…) to the option permissions of connectAgent`;
      this.#options.report({ code: "no_permission_rule", message });
    }
    this.#hasReported = true;
    settle(rejectedOutcome(request.options), undecided("undecided"));
  }

  /**
   * Settles the request with the result of a rule. Returns `false` if the rule leaves the decision to the next rule.
   */
  #use(result: RuleResult, rule: NamedPermissionRule, pending: Pending): boolean {
    const { decision, by } = isAttributed(result)
      ? result
      : { decision: result, by: { type: "rule", rule: rule.name } as const };
    if (decision == null) return false; // a rule in plain JavaScript may return `null`
    const { options } = pending.request;
    const outcome = outcomeOf(decision, options);
    if (outcome === undefined && !pending.settled) {
      const message = `The permission rule "${rule.name}" chose an option that the agent did not offer; the tool call was rejected`;
      this.#options.report({ code: "invalid_permission_decision", message, data: { decision, options } });
    }
    pending.settle(outcome ?? rejectedOutcome(options), outcome === undefined ? undecided("not_offered") : by);
    return true;
  }

  #keep(
    { request, contextOf }: Pending,
    made: Pick<PermissionDecision, "outcome" | "by" | "requestedAt" | "decidedAt">,
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
    const { maxDecisions = 1_000, onDecision } = this.#options;
    const all = [...this.#decisions, decision];
    this.#decisions = all.slice(Math.max(0, all.length - maxDecisions));
    const notify = (name: string, listener: () => unknown): void => {
      const failed = (cause: unknown): void => this.#failed(`${name} failed`, cause);
      try {
        const result = listener();
        if (result !== undefined) Promise.resolve(result).catch(failed); // the listener may be an async function
      } catch (cause) {
        failed(cause);
      }
    };
    const context = contextOf(async () => true);
    for (const rule of this.#rules) {
      notify(`Permission rule "${rule.name}"`, () => rule.onDecision?.(decision, request, context));
    }
    notify("onPermissionDecision", () => onDecision?.(decision));
  }

  #failed(message: string, cause: unknown): void {
    this.#options.report({ code: "handler_failed", message, cause });
  }
}

function named(rule: PermissionRule, index: number): NamedPermissionRule {
  if (typeof rule !== "function") return rule;
  return { name: rule.name || `rule ${index + 1}`, decide: rule };
}

function undecided(reason: UndecidedReason): PermissionAuthor {
  return { type: "none", reason };
}

function isAttributed(result: RuleResult): result is AttributedDecision {
  return typeof result === "object" && result !== null && "by" in result;
}
