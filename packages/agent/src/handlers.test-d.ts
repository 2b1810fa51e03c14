import { expectTypeOf, test } from "vitest";
import {
  type AgentContext,
  type AgentDefinition,
  createAgent,
  extension,
  extensionNotification,
  type PromptResult,
  type Turn,
} from "./index.js";

const info = { name: "a", version: "1" };
const newSession = (): { sessionId: string } => ({ sessionId: "s" });
const anything = { "~standard": { version: 1, vendor: "test", validate: (value: unknown) => ({ value }) } } as const;

test("declared functions are prompt handlers, as arrows are", () => {
  async function ends(turn: Turn): Promise<void> {
    await turn.message("Hi");
  }
  async function endsWithoutType(turn: Turn) {
    await turn.message("Hi");
  }
  async function oneOfTwo(turn: Turn) {
    return turn.text === "" ? "refusal" : "end_turn";
  }
  async function sometimes(turn: Turn) {
    if (turn.text === "") return "refusal";
  }
  async function named(_turn: Turn): Promise<PromptResult> {
    return "end_turn";
  }
  async function response(_turn: Turn) {
    return { stopReason: "end_turn" as const };
  }
  function promised(turn: Turn): Promise<void> {
    return Promise.resolve(turn.message("Hi"));
  }
  for (const prompt of [ends, endsWithoutType, oneOfTwo, sometimes, named, response, promised]) {
    expectTypeOf(prompt).toExtend<AgentDefinition["prompt"]>();
    createAgent({ info, newSession, prompt });
  }
  createAgent({ info, newSession, prompt: async () => "end_turn" });
  createAgent({ info, newSession, prompt: async ({ text }) => (text === "" ? "refusal" : undefined) });
  createAgent({
    info,
    newSession,
    async prompt(turn) {
      if (turn.text === "") return "refusal";
      return { stopReason: "end_turn" };
    },
  });
  // @ts-expect-error there is no such stop reason
  createAgent({ info, newSession, prompt: async () => "end_trun" });
});

test("declared functions, with and without results, are handlers", () => {
  async function closes(): Promise<void> {}
  function closesAtOnce(): void {}
  async function loads(_params: unknown, context: AgentContext): Promise<void> {
    await context.session("s").message("before");
  }
  async function opens() {
    return { sessionId: "s" };
  }
  async function lists() {
    return { sessions: [{ sessionId: "s", cwd: "/" }] };
  }
  const definition = {
    info,
    newSession: opens,
    prompt: closes,
    loadSession: loads,
    resumeSession: closes,
    closeSession: closesAtOnce,
    deleteSession: closes,
    listSessions: lists,
    setSessionMode: closesAtOnce,
    setSessionConfigOption: closes,
    authenticate: closes,
    logout: closesAtOnce,
    beforeUpdate: closes,
    cancelElsewhere: closesAtOnce,
  };
  expectTypeOf(definition).toExtend<AgentDefinition>();
});

test("a hook may return what its expression happens to be", () => {
  const seen: unknown[] = [];
  expectTypeOf({
    beforeUpdate: (params: unknown) => seen.push(params),
    cancelElsewhere: (params: unknown) => seen.push(params),
  }).toExtend<Pick<AgentDefinition, "beforeUpdate" | "cancelElsewhere">>();
  createAgent({ info, newSession, prompt: async () => {} }, { onDiagnostic: (one) => seen.push(one) });
  extension(anything, (params) => seen.push(params));
  extensionNotification(anything, (params) => seen.push(params));
});

test("an object of a class is a definition", () => {
  class Echo {
    readonly info = info;
    newSession() {
      return { sessionId: "s" };
    }
    async prompt(turn: Turn) {
      await turn.message(turn.text);
    }
  }
  expectTypeOf<Echo>().toExtend<AgentDefinition>();
});
