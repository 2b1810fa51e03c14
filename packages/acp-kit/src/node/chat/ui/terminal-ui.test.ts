import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type FakeHost, fakeHost } from "../../../../test/fake-host.js";
import type { Question } from "../dialogue/question.js";
import { History } from "../input/history.js";
import type { ChatUser, ChatView } from "./chat-ui.js";
import { TerminalUi } from "./terminal-ui.js";

const permission: Question = {
  lines: ["? rm -rf ~"],
  choices: [
    { key: "y", label: "Allow", value: "once" },
    { key: "a", label: "Always allow", value: "always" },
  ],
};
const name: Question = { lines: ["? Name"] };

const view: ChatView = {
  advance: () => ({ settled: [], live: [] }),
  plan: () => [],
  busy: undefined,
  queued: [],
  status: () => "",
};

let host: FakeHost;
let ui: TerminalUi;
let entered: string[];
/** What the terminal has shown since the last call. */
let shown: () => string;

beforeEach(() => {
  vi.useFakeTimers();
  host = fakeHost({ terminal: true });
  ui = new TerminalUi(host, new History());
  entered = [];
  const user: ChatUser = {
    entered: async (text) => void entered.push(text),
    interrupted: () => {},
    escaped: () => {},
    ended: () => {},
    complete: () => undefined,
  };
  void ui.run(view, user);
  let length = 0;
  shown = () => {
    const all = host.out();
    const text = all.slice(length);
    length = all.length;
    return text;
  };
});
afterEach(() => {
  ui.close();
  vi.useRealTimers();
});

/** Types a text, one key each 100 ms. */
async function type(text: string): Promise<void> {
  for (const char of text) {
    host.type(char);
    await vi.advanceTimersByTimeAsync(100);
  }
}

/** Asks a question, and returns its answers so far. */
function ask(question: Question): (string | undefined)[] {
  const answers: (string | undefined)[] = [];
  void ui.ask(question).then((answer) => answers.push(answer));
  return answers;
}

it("prints any number of lines at once, such as the history of a long session", async () => {
  ui.close();
  ui = new TerminalUi(host, new History());
  const settled = Array.from({ length: 300_000 }, (_, index) => String(index));
  const long: ChatView = { ...view, advance: () => ({ settled: settled.splice(0), live: [] }) };
  const user = {
    entered: async () => {},
    interrupted: () => {},
    escaped: () => {},
    ended: () => {},
    complete: () => undefined,
  };
  void ui.run(long, user);
  ui.print("last");
  await vi.advanceTimersByTimeAsync(1_000);
  expect(shown()).toContain("\r\n299999\r\nlast\r\n");
});

describe("a question in the terminal", () => {
  it("is shown together with a hint, such as the one after Ctrl-C", async () => {
    ask(permission);
    await vi.advanceTimersByTimeAsync(1_000);
    ui.hint("Ctrl-C again quits the chat.");
    await vi.advanceTimersByTimeAsync(100);
    expect(shown()).toMatch(/y Allow.*\r\n.*Ctrl-C again quits the chat\./);
  });

  it("takes no key of a prompt that is being typed, and says how to answer", async () => {
    await type("please wait, ");
    const answers = ask(permission);
    await type("and then say hello");
    expect(answers).toEqual([]);
    expect(shown()).toMatch(/\? rm -rf ~\r\n {2}Stop typing to answer\r\n› please wait, and then say hello/);
    expect(host.out()).not.toContain("y Allow");

    await vi.advanceTimersByTimeAsync(1_000);
    expect(shown()).toContain("y Allow   a Always allow");
    await type("y");
    expect(answers).toEqual(["once"]);
    expect(shown()).toContain("› please wait, and then say hello");
  });

  it("takes no key of a prompt after another one was sent", async () => {
    await type("first");
    const answers = ask(permission);
    await type("\rand second\r");
    expect(answers).toEqual([]);
    expect(entered).toEqual(["first", "and second"]);
  });

  it("takes a single key only after it has been visible for a moment", async () => {
    const answers = ask(permission);
    await type("a");
    expect(answers).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_000);
    await type("a");
    expect(answers).toEqual(["always"]);
  });

  it("takes no key that was meant for the question before it", async () => {
    const first = ask(permission);
    const second = ask(permission);
    await vi.advanceTimersByTimeAsync(1_000);
    await type("yy");
    expect([first, second]).toEqual([["once"], []]);
    await vi.advanceTimersByTimeAsync(1_000);
    await type("y");
    expect(second).toEqual(["once"]);
  });

  it("takes a text at once if no prompt is being typed, also after another answer", async () => {
    const first = ask(name);
    const second = ask(name);
    await vi.advanceTimersByTimeAsync(100);
    await type("Ada\rBob\r");
    expect([first, second]).toEqual([["Ada"], ["Bob"]]);
  });

  it("takes a text only after a pause if a prompt is being typed", async () => {
    await type("wait");
    const answers = ask(name);
    await type(" for it\r");
    expect(answers).toEqual([]);
    expect(entered).toEqual(["wait for it"]);
    await vi.advanceTimersByTimeAsync(1_000);
    await type("Ada\r");
    expect(answers).toEqual(["Ada"]);
  });
});
