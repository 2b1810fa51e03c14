import type { Diagnostic } from "@acp-kit/protocol";
import type { IncomingRequestPermissionRequest, PermissionOption, RequestPermissionOutcome } from "@acp-kit/types";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ClientContext } from "../client-context.js";
import { askUser, type ShowQuestion } from "./ask-user.js";
import { PermissionBroker } from "./permission-broker.js";
import type { PermissionDecision } from "./permission-decision.js";
import type { PermissionRule } from "./permission-rule.js";
import { allowReads } from "./permission-rules.js";
import { rememberDecisions } from "./remember-decisions.js";

const kinds = ["allow_always", "reject_always", "reject_once", "allow_once"] as const;
const all: PermissionOption[] = kinds.map((kind) => ({ optionId: `${kind}!`, name: kind, kind }));
const selected = (kind: string): RequestPermissionOutcome => ({ outcome: "selected", optionId: `${kind}!` });
const cancelled: RequestPermissionOutcome = { outcome: "cancelled" };

let count = 0;
function asking(title: string, options = all, sessionId = "s1"): IncomingRequestPermissionRequest {
  count += 1;
  return {
    sessionId,
    toolCall: { toolCallId: `t${count}`, title, kind: "execute", rawInput: { command: title } },
    options,
  };
}

interface Broken {
  readonly broker: PermissionBroker;
  readonly decisions: PermissionDecision[];
  readonly diagnostics: Diagnostic[];
  ask(request: IncomingRequestPermissionRequest, signal?: AbortSignal): Promise<RequestPermissionOutcome>;
}

function broker(...rules: PermissionRule[]): Broken {
  return keeping(3, ...rules);
}

function keeping(maxDecisions: number, ...rules: PermissionRule[]): Broken {
  const decisions: PermissionDecision[] = [];
  const diagnostics: Diagnostic[] = [];
  const broker = new PermissionBroker({
    rules,
    onDecision: (decision) => decisions.push(decision),
    report: (diagnostic) => diagnostics.push(diagnostic),
    maxDecisions,
  });
  const ask: Broken["ask"] = (request, signal = new AbortController().signal) =>
    broker.decide(request, { session: undefined, signal, sessionSignal: signal } satisfies ClientContext);
  return { broker, decisions, diagnostics, ask };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("who decides", () => {
  test("the first rule that decides, by its name", async () => {
    const { ask, decisions } = broker(
      async () => undefined,
      async function everything() {
        return "allow_once";
      },
      askUser(async () => "reject_once"),
    );
    expect(await ask(asking("a"))).toEqual(selected("allow_once"));
    expect(decisions).toMatchObject([
      { title: "a", kind: "execute", option: { kind: "allow_once" }, by: { type: "rule", rule: "everything" } },
    ]);
  });

  test("permissions.undecided-is-rejected: no rule decides: the mildest rejection, reported once, with the reason in the trail", async () => {
    const { ask, decisions, diagnostics } = broker(allowReads());
    expect(await ask(asking("a"))).toEqual(selected("reject_once"));
    const never = all.filter(({ kind }) => kind !== "reject_once");
    expect(await ask(asking("b", never))).toEqual(selected("reject_always"));
    expect(decisions[0]).toMatchObject({ by: { type: "none", reason: "undecided" }, option: { kind: "reject_once" } });
    expect(diagnostics).toMatchObject([{ code: "no_permission_rule", message: expect.stringContaining('"a"') }]);
  });

  test("permissions.undecided-is-rejected: cancelled if the agent offers no rejection", async () => {
    const { ask } = broker();
    const allowing = all.filter(({ kind }) => kind.startsWith("allow"));
    expect(await ask(asking("a", allowing))).toEqual(cancelled);
  });

  test("a rule that fails lets no later one allow it", async () => {
    const { ask, decisions, diagnostics } = broker(
      async () => {
        throw new Error("broken");
      },
      async () => "allow_once",
    );
    expect(await ask(asking("a"))).toEqual(selected("reject_once"));
    expect(decisions[0]?.by).toEqual({ type: "none", reason: "rule_failed" });
    expect(diagnostics).toMatchObject([{ code: "handler_failed" }]);
  });

  test("a rule that returns null leaves the decision to the next rule; another malformed result fails", async () => {
    const returns = (result: unknown): PermissionRule => (async () => result) as PermissionRule;
    const { ask } = broker(
      returns(null),
      askUser(async () => null as never),
      async () => "allow_once",
    );
    expect(await ask(asking("a"))).toEqual(selected("allow_once"));
    const lazy = returns({
      get outcome(): never {
        throw new Error("broken");
      },
    });
    const other = broker(lazy, async () => "allow_once");
    expect(await other.ask(asking("a"))).toEqual(selected("reject_once"));
    expect(other.decisions[0]?.by).toEqual({ type: "none", reason: "rule_failed" });
  });

  test("of two options of a kind the first is taken, whatever their ids say", async () => {
    const options: PermissionOption[] = [
      { optionId: "reject", name: "Always here", kind: "allow_always" },
      { optionId: "b", name: "Always everywhere", kind: "allow_always" },
      { optionId: "allow", name: "No", kind: "reject_once" },
    ];
    const { ask } = broker(askUser(async () => "allow_always"));
    expect(await ask(asking("a", options))).toEqual({ outcome: "selected", optionId: "reject" });
  });

  test("the last decisions are kept", async () => {
    const { ask, broker: kept } = broker(async () => "allow_once");
    for (const title of ["a", "b", "c", "d"]) await ask(asking(title));
    expect(kept.decisions.map(({ title }) => title)).toEqual(["b", "c", "d"]);
  });
});

test("no decision is kept if the limit is 0, and all are if it is Infinity", async () => {
  for (const [limit, count] of [
    [0, 0],
    [Number.POSITIVE_INFINITY, 4],
  ] as const) {
    const { broker, ask } = keeping(limit);
    for (const title of ["a", "b", "c", "d"]) await ask(asking(title));
    expect(broker.decisions).toHaveLength(count);
  }
});

describe("users", () => {
  test("are shown one question at a time, and the queue can be watched", async () => {
    const shown: string[] = [];
    const answers: ((kind: "allow_once") => void)[] = [];
    const user = askUser(({ request }) => {
      shown.push(request.toolCall.title ?? "");
      return new Promise((resolve) => answers.push(resolve));
    });
    const states: string[] = [];
    user.questions.subscribe(() => states.push(user.questions.snapshot.map(({ state }) => state).join(" ")));
    const { ask } = broker(user);
    const outcomes = [ask(asking("a")), ask(asking("b"))];
    await vi.advanceTimersByTimeAsync(0);
    expect(shown).toEqual(["a"]);
    expect(user.questions.snapshot).toMatchObject([{ state: "shown" }, { state: "waiting" }]);
    answers[0]?.("allow_once");
    await outcomes[0];
    await vi.advanceTimersByTimeAsync(0);
    expect(shown).toEqual(["a", "b"]);
    answers[1]?.("allow_once");
    expect(await Promise.all(outcomes)).toEqual([selected("allow_once"), selected("allow_once")]);
    expect(user.questions.snapshot).toEqual([]);
    expect(states).toEqual(["waiting", "waiting waiting", "shown waiting", "waiting", "shown", ""]);
  });

  test("are shown as many questions at a time as the option says", async () => {
    const show = vi.fn<ShowQuestion>(() => new Promise(() => {}));
    const { ask } = broker(askUser(show, { concurrency: 2 }));
    for (const title of ["a", "b", "c"]) void ask(asking(title));
    await vi.advanceTimersByTimeAsync(0);
    expect(show).toHaveBeenCalledTimes(2);
  });

  test("the first of several answers counts, and the dialogs of the other users close", async () => {
    const signals: AbortSignal[] = [];
    const { ask, decisions } = broker(
      askUser({
        desk: (_question, { signal }) => {
          signals.push(signal);
          return new Promise(() => {});
        },
        away: async () => undefined,
        phone: async () => "reject_once",
      }),
    );
    expect(await ask(asking("a"))).toEqual(selected("reject_once"));
    expect(decisions[0]?.by).toEqual({ type: "person", rule: "askUser", person: "phone" });
    expect(signals[0]?.aborted).toBe(true);
  });

  test("when no user decides, neither does the rule; when one of them throws, the tool call is rejected", async () => {
    const away: ShowQuestion = async () => undefined;
    const { ask } = broker(askUser({ a: away, b: away }), async () => "allow_once");
    expect(await ask(asking("a"))).toEqual(selected("allow_once"));
    const failing: ShowQuestion = async () => {
      throw new Error("no window");
    };
    const other = broker(askUser({ a: away, b: failing }), async () => "allow_once");
    expect(await other.ask(asking("a"))).toEqual(selected("reject_once"));
    expect(other.diagnostics).toMatchObject([{ code: "handler_failed", cause: { message: "no window" } }]);
  });

  test("a question without an answer in time is rejected, counted from when it is shown", async () => {
    const user = askUser(() => new Promise(() => {}), { timeoutMs: 1_000 });
    const { ask, decisions } = broker(user);
    const first = ask(asking("a"));
    const second = ask(asking("b", [{ optionId: "y", name: "Yes", kind: "allow_once" }]));
    await vi.advanceTimersByTimeAsync(999);
    expect(user.questions.snapshot).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(await first).toEqual(selected("reject_once"));
    await vi.advanceTimersByTimeAsync(999);
    expect(user.questions.snapshot).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await second).toEqual(cancelled); // rejecting was not offered
    expect(decisions.map(({ by }) => by.type)).toEqual(["timeout", "timeout"]);
  });

  test("with the time limit Infinity, a question waits for its answer", async () => {
    const user = askUser({}, { timeoutMs: Number.POSITIVE_INFINITY });
    const outcome = broker(user).ask(asking("a"));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(user.questions.snapshot).toMatchObject([{ state: "shown", expiresAt: undefined }]);
    user.questions.snapshot[0]?.decide("allow_once");
    expect(await outcome).toEqual(selected("allow_once"));
  });

  test("a user interface can answer listed questions, waiting ones too, once", async () => {
    const user = askUser();
    const { ask, decisions } = broker(user);
    const outcomes = [ask(asking("a")), ask(asking("b"))];
    const [first, second] = user.questions.snapshot;
    expect(second?.decide("allow_once", "alice")).toBe(true);
    expect(second?.decide("reject_once")).toBe(false);
    expect(first?.decide({ outcome: "selected", optionId: "reject_always!" })).toBe(true);
    expect(await Promise.all(outcomes)).toEqual([selected("reject_always"), selected("allow_once")]);
    expect(decisions[0]?.by).toEqual({ type: "person", rule: "askUser", person: "alice" });
    expect(vi.getTimerCount()).toBe(0);
  });

  test("an answer at the moment that the question appears counts", async () => {
    const user = askUser();
    user.questions.subscribe(() => user.questions.snapshot[0]?.decide("allow_once"));
    expect(await broker(user).ask(asking("a"))).toEqual(selected("allow_once"));
  });

  test("a call that the user always allows is not shown again, not even a waiting one", async () => {
    const show = vi.fn<ShowQuestion>(async () => "allow_always");
    const { ask, decisions } = broker(rememberDecisions(), askUser(show));
    const outcomes = await Promise.all([ask(asking("npm test")), ask(asking("npm test")), ask(asking("ls"))]);
    expect(outcomes).toEqual([selected("allow_always"), selected("allow_once"), selected("allow_always")]);
    expect(show).toHaveBeenCalledTimes(2);
    expect(decisions[1]?.by).toEqual({ type: "rule", rule: "rememberDecisions" });
  });
});

describe("a pending request is cancelled", () => {
  test("by session, with the reason in the trail and the dialog taken away", async () => {
    const signals: AbortSignal[] = [];
    const user = askUser((_question, { signal }) => {
      signals.push(signal);
      return new Promise(() => {});
    });
    const { ask, broker: mine, decisions } = broker(user);
    const first = ask(asking("a", all, "s1"));
    const second = ask(asking("b", all, "s2"));
    await vi.advanceTimersByTimeAsync(0);
    mine.cancel("turn_cancelled", "s1");
    expect(await first).toEqual(cancelled);
    expect(signals[0]?.aborted).toBe(true);
    await vi.advanceTimersByTimeAsync(0);
    expect(user.questions.snapshot).toMatchObject([{ state: "shown", request: { sessionId: "s2" } }]);
    mine.cancelAll("connection_closed");
    expect(await second).toEqual(cancelled);
    expect(decisions.map(({ by }) => by)).toEqual([
      { type: "none", reason: "turn_cancelled" },
      { type: "none", reason: "connection_closed" },
    ]);
  });

  test("when the agent cancels its request", async () => {
    const controller = new AbortController();
    const { ask, decisions } = broker(askUser());
    const outcome = ask(asking("a"), controller.signal);
    controller.abort();
    expect(await outcome).toEqual(cancelled);
    expect(decisions[0]?.by).toEqual({ type: "none", reason: "request_cancelled" });
  });
});

test("whatever the interleaving of answers, cancels and deadlines, each request gets one response, with an offered option or cancelled", async () => {
  const options = fc
    .uniqueArray(fc.constantFrom(...kinds), { maxLength: 4 })
    .map((chosen) => chosen.map((kind): PermissionOption => ({ optionId: `${kind}!`, name: kind, kind })));
  const session = fc.constantFrom("s1", "s2");
  const act = fc.oneof(
    fc.record({ do: fc.constant("ask" as const), options, session, title: fc.constantFrom("a", "b") }),
    fc.record({ do: fc.constant("answer" as const), nth: fc.nat(5), kind: fc.constantFrom(...kinds) }),
    fc.record({ do: fc.constant("show" as const), nth: fc.nat(5), kind: fc.option(fc.constantFrom(...kinds)) }),
    fc.record({ do: fc.constant("fail" as const), nth: fc.nat(5) }),
    fc.record({ do: fc.constant("cancel" as const), session }),
    fc.record({ do: fc.constant("takeBack" as const), nth: fc.nat(5) }),
    fc.record({ do: fc.constant("wait" as const), ms: fc.constantFrom(0, 400, 1_000) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 30 }), fc.integer({ min: 1, max: 3 }), async (acts, concurrency) => {
      const shown: { yes(kind: (typeof kinds)[number] | undefined): void; no(error: Error): void }[] = [];
      const user = askUser(() => new Promise((yes, no) => shown.push({ yes, no })), { timeoutMs: 1_000, concurrency });
      const { ask, broker: mine, decisions } = broker(rememberDecisions(), user);
      const requested: { request: IncomingRequestPermissionRequest; answers: RequestPermissionOutcome[] }[] = [];
      const controllers: AbortController[] = [];
      const made = vi.fn();
      user.questions.subscribe(() => {
        const showing = user.questions.snapshot.filter(({ state }) => state === "shown");
        made();
        expect(showing.length).toBeLessThanOrEqual(concurrency);
      });
      for (const step of acts) {
        if (step.do === "ask") {
          const request = asking(step.title, step.options, step.session);
          const controller = new AbortController();
          const answers: RequestPermissionOutcome[] = [];
          requested.push({ request, answers });
          controllers.push(controller);
          void ask(request, controller.signal).then((outcome) => answers.push(outcome));
        } else if (step.do === "answer") user.questions.snapshot[step.nth]?.decide(step.kind);
        else if (step.do === "show") shown[step.nth]?.yes(step.kind ?? undefined);
        else if (step.do === "fail") shown[step.nth]?.no(new Error("closed"));
        else if (step.do === "cancel") mine.cancel("turn_cancelled", step.session);
        else if (step.do === "takeBack") controllers[step.nth]?.abort();
        else await vi.advanceTimersByTimeAsync(step.ms);
      }
      mine.cancelAll("connection_closed");
      await vi.advanceTimersByTimeAsync(0);
      for (const { request, answers } of requested) {
        expect(answers).toHaveLength(1);
        const [outcome] = answers;
        if (outcome?.outcome === "selected")
          expect(request.options.map(({ optionId }) => optionId)).toContain(outcome.optionId);
      }
      expect(decisions).toHaveLength(requested.length);
      expect(user.questions.snapshot).toEqual([]);
      expect(vi.getTimerCount()).toBe(0);
    }),
    { numRuns: 200 },
  );
});
