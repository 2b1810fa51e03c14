import { expectTypeOf, test } from "vitest";
import type {
  ConnectAgentOptions,
  LoginMethod,
  PermissionRule,
  RuleDecision,
  Session,
  ShowQuestion,
  UpdateListener,
} from "./index.js";

test("listeners may be declared, async, or return what their expression happens to be", () => {
  const seen: unknown[] = [];
  function plain(): void {}
  async function slow(): Promise<void> {}
  async function slowWithoutType(update: unknown) {
    seen.push(update);
  }
  function promised(): Promise<number> {
    return Promise.resolve(1);
  }
  class Screen {
    show(): this {
      return this;
    }
  }
  for (const listener of [plain, slow, slowWithoutType, promised, new Screen().show, seen.push.bind(seen)]) {
    expectTypeOf(listener).toExtend<UpdateListener>();
  }
  expectTypeOf((update: unknown) => seen.push(update)).toExtend<UpdateListener>();
  expectTypeOf((update: unknown) => seen.push(update)).toExtend<Parameters<Session["onUpdate"]>[0]>();
});

test("a permission rule may be a declared function, also one without a result", () => {
  async function looks(): Promise<void> {}
  async function sometimes(request: { readonly sessionId: string }) {
    if (request.sessionId === "s") return "allow_once";
  }
  async function oneOfTwo(request: { readonly sessionId: string }) {
    return request.sessionId === "s" ? "allow_once" : "reject_once";
  }
  async function named(): Promise<RuleDecision> {
    return "allow_once";
  }
  for (const rule of [looks, sometimes, oneOfTwo, named]) {
    expectTypeOf(rule).toExtend<PermissionRule>();
    expectTypeOf({ permissions: [rule] }).toExtend<ConnectAgentOptions>();
    expectTypeOf(rule).toExtend<(question: never) => ReturnType<ShowQuestion>>();
  }
  const options: ConnectAgentOptions = { permissions: async () => "allow_once" };
  // @ts-expect-error there is no such kind
  const misspelt: ConnectAgentOptions = { permissions: async () => "allow_ones" };
  void [options, misspelt];
});

test("handlers of the agent's requests may be declared, with and without results", () => {
  async function writes(): Promise<void> {}
  function writesAtOnce(): void {}
  async function reads() {
    return { content: "" };
  }
  async function creates() {
    return { terminalId: "t" };
  }
  async function exits() {
    return { exitCode: 0 };
  }
  async function outputs() {
    return { output: "", truncated: false };
  }
  function first(methods: readonly LoginMethod[]) {
    return methods[0];
  }
  async function firstLater(methods: readonly LoginMethod[]) {
    return methods[0];
  }
  async function done() {
    return true;
  }
  const terminals = {
    createTerminal: creates,
    terminalOutput: outputs,
    waitForTerminalExit: exits,
    killTerminal: writes,
    releaseTerminal: writesAtOnce,
  };
  expectTypeOf({
    files: { readTextFile: reads, writeTextFile: writes, deleteFile: writesAtOnce },
    terminals,
    login: { choose: first, terminal: done },
    onPermissionDecision: writes,
    onDiagnostic: writes,
    onUpdate: writes,
  }).toExtend<ConnectAgentOptions>();
  expectTypeOf({ choose: firstLater }).toExtend<NonNullable<ConnectAgentOptions["login"]>>();
});
