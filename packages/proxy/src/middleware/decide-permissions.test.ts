import { allow, allowReads, type PermissionRule, reject } from "@acp-kit/client";
import { optionOfKind, rejectionOf } from "@acp-kit/client/internal";
import type { Diagnostic } from "@acp-kit/jsonrpc";
import { decidePermissions, type ProxyPermissionRule } from "@acp-kit/proxy/middleware";
import type { PermissionOption, PermissionOptionKind } from "@acp-kit/types";
import fc from "fast-check";
import { expect, expectTypeOf, test } from "vitest";
import { delivered, type RawChain, rawChain } from "../../test/raw-peer.js";
import type { DecidePermissionsOptions } from "./decide-permissions.js";
import { outcomeOf, rejectedOutcome } from "./permission-outcome.js";

const kinds = ["allow_once", "allow_always", "reject_once", "reject_always"] as const;
const all: PermissionOption[] = kinds.map((kind) => ({ optionId: `id ${kind}`, name: kind, kind }));

async function opened(
  rules: readonly ProxyPermissionRule[],
  options: DecidePermissionsOptions = {},
): Promise<RawChain & { readonly decide: (toolCall: object, offered?: PermissionOption[]) => Promise<unknown> }> {
  const chain = rawChain([decidePermissions(rules, options)]);
  chain.client.request(0, "session/new", { cwd: "/work", mcpServers: [], additionalDirectories: ["/more"] });
  await delivered();
  chain.agent.respond(0, { sessionId: "s" });
  await delivered();
  const ids = [0];
  const decide = async (toolCall: object, offered = all): Promise<unknown> => {
    const id = `p${ids.push(0)}`;
    const params = { sessionId: "s", toolCall: { toolCallId: "t", ...toolCall }, options: offered };
    chain.agent.request(id, "session/request_permission", params);
    await delivered();
    const outcome = (chain.agent.responses(id)[0]?.result as { outcome?: object } | undefined)?.outcome;
    return outcome && ("optionId" in outcome ? outcome.optionId : "cancelled");
  };
  return { ...chain, decide };
}

test("proxy.permissions-as-client: the rules of a client decide, the first one wins, and the user decides the rest", async () => {
  const decisions: string[] = [];
  const { decide, client } = await opened(
    [
      reject({ touching: ["/work/.env"] }),
      allowReads({ within: "session" }),
      allow({ kinds: ["edit"], within: ["/tmp"] }),
    ],
    { onDecision: ({ rule, outcome }) => decisions.push(`${rule} ${outcome.outcome}`) },
  );
  const at = (kind: string, path: string): object => ({ kind, locations: [{ path }] });
  expect(await decide(at("read", "/work/.env"))).toBe("id reject_once");
  expect(await decide(at("read", "/more/a"))).toBe("id allow_once");
  expect(await decide(at("edit", "/tmp/a"))).toBe("id allow_once");
  expect(await decide(at("edit", "/work/a"))).toBeUndefined();
  expect(client.of("session/request_permission")).toHaveLength(1);
  expect(decisions).toEqual(["reject selected", "allowReads selected", "allow selected"]);
});

test("proxy.permissions-as-client: options are chosen by kind, never a stronger one; without a rejection the request is cancelled", async () => {
  const { decide, client } = await opened([allow({ names: ["a"] }), reject({ names: ["r"] }), async () => "reject"]);
  const offer = (...wanted: PermissionOptionKind[]): PermissionOption[] =>
    all.filter(({ kind }) => wanted.includes(kind));
  expect(await decide({ name: "a" }, offer("allow_always", "reject_once"))).toBe("id reject_once");
  expect(await decide({ name: "r" }, offer("reject_always", "allow_once"))).toBe("id reject_always");
  expect(await decide({ name: "x" }, offer("allow_once"))).toBe("cancelled");
  expect(client.of("session/request_permission")).toEqual([]);
});

test("proxy.permissions-as-client: a rule that fails, or chooses what was not offered, rejects", async () => {
  const diagnostics: Diagnostic[] = [];
  const rules: ProxyPermissionRule[] = [
    async ({ toolCall }) => {
      if (toolCall.title === "throw") throw new Error("broken");
      return toolCall.title === "odd" ? { outcome: "selected", optionId: "odd" } : undefined;
    },
    async () => "allow_always",
  ];
  const { decide } = await opened(rules, { onDiagnostic: (diagnostic) => diagnostics.push(diagnostic) });
  expect(await decide({ title: "throw" })).toBe("id reject_once");
  expect(await decide({ title: "odd" })).toBe("id reject_once");
  expect(await decide({ title: "fine" })).toBe("id allow_always");
  expect(diagnostics.map(({ code }) => code)).toEqual(["handler_failed"]);
});

test("proxy.permissions-as-client: a request whose member names differ only in case is refused", async () => {
  const { agent, client, decide } = await opened([async () => undefined]);
  agent.request(1, "session/request_permission", {
    sessionId: "s",
    toolCall: { toolCallId: "t", kind: "read", Kind: "execute" },
    options: all,
  });
  await delivered();
  expect(agent.response(1).error?.code).toBe(-32602);
  expect(client.of("session/request_permission")).toEqual([]);
  await decide({ rawInput: { path: 1, Path: 2 } });
  expect(client.of("session/request_permission")).toHaveLength(1);
});

test("a rule that waited runs the rules before it again, and a cancelled turn aborts its signal", async () => {
  let remembered = false;
  const aborts: unknown[] = [];
  const { decide, client, agent } = await opened([
    async () => (remembered ? "allow_once" : undefined),
    async ({ toolCall }, { reconsider, signal }) => {
      signal.addEventListener("abort", () => aborts.push(toolCall.toolCallId));
      if (toolCall.title === "hang") return await new Promise<never>(() => {});
      remembered = true;
      return (await reconsider()) ? undefined : "reject_once";
    },
  ]);
  expect(await decide({ title: "wait" })).toBe("id allow_once");
  remembered = false;
  expect(await decide({ title: "hang" })).toBeUndefined();
  client.notify("session/cancel", { sessionId: "s" });
  await delivered();
  expect(agent.received.at(-1)).toMatchObject({ method: "session/cancel" });
  expect(agent.response("p3").result).toEqual({ outcome: { outcome: "cancelled" } });
  expect(aborts).toContain("t");
});

test("one rule type: a client's rules fit without a cast", () => {
  expectTypeOf<PermissionRule>().toExtend<ProxyPermissionRule>();
});

test("proxy.permissions-as-client: outcomes are those of the client for all options", () => {
  const option = fc.record({
    optionId: fc.constantFrom("a", "b", "abort", "c"),
    name: fc.constantFrom("Yes", "No, and stop", "Always"),
    kind: fc.constantFrom(...kinds),
  });
  fc.assert(
    fc.property(fc.array(option, { maxLength: 6 }), fc.constantFrom(...kinds), (options, kind) => {
      const selected = (found: PermissionOption | undefined): unknown =>
        found && { outcome: "selected", optionId: found.optionId };
      expect(outcomeOf(kind, options)).toEqual(selected(optionOfKind(options, kind)));
      expect(rejectedOutcome(options)).toEqual(selected(rejectionOf(options)) ?? { outcome: "cancelled" });
    }),
  );
});
