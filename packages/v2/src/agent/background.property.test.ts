import type { OwnTerminal, ToolCallHandle } from "@acp-kit/agent";
import fc from "fast-check";
import { expect, test } from "vitest";
import { turn as tick } from "../../test/bridged.js";
import { updatesOf } from "../../test/peers.js";
import { connectV2 } from "../../test/v2-agent.js";

type Action = "open" | "open outside" | "terminal" | "detach" | "update" | "exit" | "complete" | "cancel" | "end turn";

const actions: readonly Action[] = [
  ...(["open", "open", "open outside", "terminal", "detach", "update"] as const),
  ...(["exit", "complete", "cancel", "end turn"] as const),
];

interface Listed {
  readonly type: string;
  readonly terminalId?: string;
  readonly toolCallId?: string;
}

test("V2-REQ-17: every state lists background work once, after its announcement and until its end", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.constantFrom(...actions), fc.nat(9)), { maxLength: 40 }), async (script) => {
      const agent = connectV2({
        definition: {
          prompt: async (turn) => {
            current.turn = turn;
            await new Promise<void>((resolve) => {
              current.end = resolve;
            });
          },
        },
      });
      const current: { turn?: { toolCall(init: object): ToolCallHandle }; end?: () => void } = {};
      agent.client.request("initialize", { protocolVersion: 2, info: { name: "c", version: "1" } });
      await tick();
      agent.client.request("session/new", { cwd: "/work" });
      await tick();
      agent.prompt("go");
      await tick();
      const calls: ToolCallHandle[] = [];
      const terminals = new Map<ToolCallHandle, OwnTerminal>();
      for (const [action, which] of script) {
        const call = calls[which % Math.max(calls.length, 1)];
        if (action === "open" && current.turn !== undefined)
          calls.push(
            current.turn.toolCall({ toolCallId: `c${calls.length}`, title: "x", status: "in_progress" }) as never,
          );
        else if (action === "open outside")
          calls.push(agent.connection.session("s").toolCall({ toolCallId: `c${calls.length}`, title: "x" }));
        else if (action === "end turn") {
          current.end?.();
          delete current.turn;
          await tick();
        } else if (call === undefined || call.ended) continue;
        else if (action === "terminal" && !terminals.has(call) && (call.isDetached || current.turn !== undefined))
          terminals.set(call, call.ownTerminal({ terminalId: `t-${call.id}` }));
        else if (action === "detach") call.detach({ cancel: () => {} });
        else if (!call.isDetached && current.turn === undefined) continue;
        else if (action === "update") await call.update({ title: "y" });
        else if (action === "exit") await terminals.get(call)?.exit({ exitCode: 0 });
        else if (action === "complete") await call.complete();
        else if (action === "cancel") await call.cancel();
      }
      current.end?.();
      await tick();
      const announced = new Set<string>();
      const ended = new Set<string>();
      let before: string[] = [];
      for (const update of updatesOf(agent.client)) {
        const { sessionUpdate, toolCallId, terminalId, status, exitStatus, background } = update as Record<
          string,
          string
        > & {
          background?: Listed[];
        };
        if (sessionUpdate === "tool_call_update") announced.add(`${toolCallId}`);
        if (sessionUpdate === "terminal_update") announced.add(`${terminalId}`);
        if (/^(completed|cancelled)$/.test(String(status))) ended.add(`${toolCallId}`).add(`t-${toolCallId}`);
        if (exitStatus !== undefined) ended.add(`${terminalId}`);
        if (sessionUpdate !== "state_update") continue;
        const listed = (background ?? []).map((work) => work.terminalId ?? String(work.toolCallId));
        // A call is listed as itself or as its terminal, so each process is listed once
        const processes = listed.map((id) => id.replace("t-", ""));
        expect(new Set(processes).size).toBe(processes.length);
        for (const id of listed) {
          expect(announced).toContain(id);
          expect(ended).not.toContain(id);
        }
        for (const id of before) {
          const process = id.replace("t-", "");
          if (!processes.includes(process)) expect(ended).toContain(process);
        }
        before = listed;
      }
      const open = calls.filter((call) => call.isDetached && !call.ended);
      expect(before.map((id) => id.replace("t-", "")).sort()).toEqual(open.map(({ id }) => id).sort());
      await agent.connection.close();
    }),
    { numRuns: 60 },
  );
});
