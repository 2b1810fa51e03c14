import { expect, test } from "vitest";
import { agentWatches } from "../../agent/agent-checks.js";
import { DialogueLog } from "../../dialogue.js";

const watches = agentWatches.filter(({ id }) => id === "watch/terminals-in-tool-calls");

/** A dialogue in which an agent uses terminals. */
class Terminals {
  readonly #log = new DialogueLog("connection 1");
  #id = 0;

  create(sessionId: string, terminalId: string): this {
    this.#request("terminal/create", { sessionId, command: "ls" }, { terminalId });
    return this;
  }

  release(sessionId: string, terminalId: string): this {
    this.#request("terminal/release", { sessionId, terminalId }, {});
    return this;
  }

  show(sessionId: string, terminalId: string, toolCallId = "call"): this {
    const content = [{ type: "terminal", terminalId }];
    const update = { sessionUpdate: "tool_call_update", toolCallId, content };
    this.#log.message("agent", { jsonrpc: "2.0", method: "session/update", params: { sessionId, update } });
    return this;
  }

  /** Returns the rules that the agent breaks. */
  broken(): string[] {
    return watches.flatMap((watch) => watch.watch(this.#log).findings.map(({ requirement }) => requirement));
  }

  #request(method: string, params: object, result: object): void {
    const id = this.#id++;
    this.#log.message("agent", { jsonrpc: "2.0", id, method, params });
    this.#log.message("client", { jsonrpc: "2.0", id, result });
  }
}

test("two sessions may have terminals with the same id, of which one is released", () => {
  const two = (): Terminals => new Terminals().create("a", "1").create("b", "1").release("a", "1");
  expect(two().show("b", "1").broken()).toEqual([]);
  expect(two().show("a", "1").broken()).toEqual(["TOOL-13"]);
});

test("the session of a subagent may show a terminal of its parent", () => {
  expect(new Terminals().create("parent", "1").show("child", "1").broken()).toEqual([]);
});

test("a tool call that showed its terminal before the release may show it afterwards", () => {
  const released = (): Terminals => new Terminals().create("a", "1").show("a", "1", "before").release("a", "1");
  expect(released().show("a", "1", "before").broken()).toEqual([]);
  expect(released().show("a", "1", "after").broken()).toEqual(["TOOL-13"]);
});

test("a terminal that the agent never created breaks the rule", () => {
  expect(new Terminals().create("a", "1").show("a", "2").broken()).toEqual(["TOOL-13"]);
});
