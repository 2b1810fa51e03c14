import type { PermissionOption } from "@acp-kit/types";
import { describe, expect, it, vi } from "vitest";
import { fakeHost } from "../../../test/fake-host.js";
import { askOnTerminal } from "./ask-on-terminal.js";
import { type PermissionPolicy, permissionsBy, type RunDecision } from "./permission-policy.js";

const option = (kind: PermissionOption["kind"], optionId: string = kind): PermissionOption => ({
  kind,
  optionId,
  name: `Do ${kind}`,
});
const all = [option("allow_always"), option("reject_always"), option("allow_once"), option("reject_once")];

/** Asks for a tool call of a kind, which the request, or the call that was announced before, has. */
async function decide(
  policy: PermissionPolicy,
  { kind, title, options = all }: { kind?: string; title?: string; options?: PermissionOption[] },
): Promise<{ answer: unknown; trail: RunDecision[] }> {
  const trail: RunDecision[] = [];
  const handler = permissionsBy(policy, {
    ask: async () => undefined,
    onRequested: () => {},
    onDecided: (decided) => trail.push(decided),
  });
  const toolCall = { toolCallId: "t1", ...(kind && { kind }), ...(title && { title }) };
  const context = { session: undefined, signal: new AbortController().signal } as never;
  const answer = await handler({ sessionId: "s1", toolCall, options } as never, context);
  return { answer, trail };
}

describe("permissions without a user", () => {
  it.each<[PermissionPolicy, string, string]>([
    ["allow", "edit", "allow_once"],
    ["reject", "read", "reject_once"],
    ["reads", "read", "allow_once"],
    ["reads", "search", "allow_once"],
    ["reads", "think", "allow_once"],
    ["reads", "edit", "reject_once"],
    ["reads", "execute", "reject_once"],
    ["reads", "fetch", "reject_once"],
    ["reads", "_vendor", "reject_once"],
  ])("%s: decides %s with an option of the kind %s", async (policy, kind, optionId) => {
    const { answer, trail } = await decide(policy, { kind });
    expect(answer).toEqual({ outcome: "selected", optionId });
    expect(trail).toEqual([{ toolCallId: "t1", title: "t1", decision: optionId }]);
  });

  it("rejects a call without a kind under `reads`, and reports its title", async () => {
    const { answer, trail } = await decide("reads", { title: "Look around" });
    expect(answer).toMatchObject({ optionId: "reject_once" });
    expect(trail).toMatchObject([{ title: "Look around" }]);
  });

  it("chooses an option by its kind, not by name or position", async () => {
    const options = [option("reject_once", "allow"), option("allow_once", "cancel")];
    expect((await decide("allow", { options })).answer).toMatchObject({ optionId: "cancel" });
    expect((await decide("reject", { options })).answer).toMatchObject({ optionId: "allow" });
  });

  it("chooses an `always` option only if there is no `once` option", async () => {
    expect((await decide("allow", { options: [option("allow_always")] })).answer).toMatchObject({
      optionId: "allow_always",
    });
    expect((await decide("reject", { options: [option("reject_always")] })).answer).toMatchObject({
      optionId: "reject_always",
    });
  });

  it("cancels the request if the agent offers no rejection", async () => {
    expect(await decide("reject", { options: [option("allow_once")] })).toMatchObject({
      answer: "cancelled",
      trail: [{ decision: "cancelled" }],
    });
    expect((await decide("allow", { options: [] })).answer).toBe("cancelled");
  });
});

describe("prompting on a terminal", () => {
  const request = {
    sessionId: "s1",
    toolCall: {
      ...{ toolCallId: "t1", title: "Tidy up", kind: "execute", locations: [{ path: "/work/a.ts", line: 3 }] },
      rawInput: { command: "git clean \u001b[2J-xdf", timeout: 5 },
    },
    options: all,
  };
  const ask = (host: ReturnType<typeof fakeHost>, signal = new AbortController().signal, onNoTerminal = () => {}) =>
    askOnTerminal(host, "/work", onNoTerminal)(request as never, { signal, session: undefined });

  it("permissions.one-question: shows the command first, says why a wrong key chooses nothing, and accepts a number", async () => {
    const host = fakeHost({ terminal: true });
    host.type("what?\n9\n3\n");
    expect(await ask(host)).toEqual(option("allow_once"));
    expect(host.out()).toBe("");
    const shown = plain(host.err());
    for (const part of ["$ git clean -xdf", "a.ts:3", '"timeout": 5', "a  Do allow_always", "(reject once)"])
      expect(shown.slice(0, shown.indexOf("Choose"))).toContain(part);
    expect(shown.indexOf("git clean")).toBeLessThan(shown.indexOf("a.ts:3"));
    expect(shown).not.toContain("\u001b");
    expect(shown).toContain('"what?" chooses nothing. The keys are a, d, y, n, 1–4.');
    expect(shown.match(/Choose a, d, y, n/g)).toHaveLength(3);
  });

  it("permissions.one-question: accepts the letters, and prints everything on demand", async () => {
    const host = fakeHost({ terminal: true });
    const command = Array.from({ length: 100 }, (_, n) => `echo ${n}`).join("\n");
    const toolCall = { toolCallId: "t1", title: "Tidy up", rawInput: { command } };
    host.type("v\nn\n");
    const { signal } = new AbortController();
    expect(
      await askOnTerminal(host, "/work", () => {})({ ...request, toolCall } as never, { signal, session: undefined }),
    ).toEqual(option("reject_once"));
    const shown = plain(host.err());
    const first = shown.slice(0, shown.indexOf("Choose"));
    expect(first).toContain("… 60 more lines; v shows everything");
    expect(first).not.toContain("echo 99");
    expect(shown).toContain("echo 99");
  });

  it("chooses none on an empty line", async () => {
    const host = fakeHost({ terminal: true });
    host.type("\n");
    expect(await ask(host)).toBeUndefined();
  });

  it("ends when the turn is cancelled", async () => {
    const cancelled = new AbortController();
    const answer = ask(fakeHost({ terminal: true }), cancelled.signal);
    cancelled.abort();
    expect(await answer).toBeUndefined();
  });

  it("doesn't prompt without a terminal, and reports that", async () => {
    const onNoTerminal = vi.fn();
    expect(await ask(fakeHost({ stdin: "1\n" }), undefined, onNoTerminal)).toBeUndefined();
    expect(onNoTerminal).toHaveBeenCalledTimes(1);
  });
});

function plain(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what colours are made of
  return text.replace(/\u001b\[\d+m/g, "");
}
