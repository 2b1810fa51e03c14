import { comparableMessages } from "@acp-kit/testing";
import { type Recording, runsOf } from "@acp-kit/testing/recording";
import { members } from "../members.js";
import {
  type RecordedConversation,
  type RecordedResponse,
  type RecordedStep,
  recordedSteps,
} from "./recorded-steps.js";
import { Expression, quoted, sourceOf } from "./source-text.js";

/**
 * Returns the source of a Vitest test of the recorded agent. The test starts the agent, sends the recorded messages of
 * the client in their order, and expects the recorded messages of the agent. A comment at the start of the source lists
 * the parts of the recording that the test does not contain.
 *
 * The test is a test of the agent, because the recording contains the requests that a user made. To test a client,
 * replay the recording as the agent.
 */
export function recordingScript(recording: Recording): string {
  const runs = runsOf(recording).map(({ entries }) => recordedSteps(entries));
  const hasPrompt = ({ steps }: RecordedConversation): boolean =>
    steps.some(({ method }) => method === "session/prompt");
  const run = runs.findLast(hasPrompt) ?? runs.at(-1) ?? recordedSteps([]);
  return new ScriptWriter(run, runs.length).source();
}

class ScriptWriter {
  readonly #run: RecordedConversation;
  readonly #runs: number;
  /** For each session that the test creates: the name of the constant with the session's id. */
  readonly #sessions = new Map<string, string>();
  #hasRedacted = false;

  constructor(run: RecordedConversation, runs: number) {
    this.#run = run;
    this.#runs = runs;
  }

  source(): string {
    const handlers = this.#handlers();
    const steps = this.#run.steps.flatMap((step) => this.#step(step));
    const agent = this.#agent();
    const client = this.#run.isVersion2 ? "v2ClientScript" : "clientScript";
    const names = ["comparableMessages", ...(this.#run.isVersion2 ? [] : [client])].sort();
    if (handlers.length > 0) names.push("inOrder");
    if (handlers.some((line) => line.includes("noResponse"))) names.push("noResponse");
    return [
      ...this.#comment(),
      `import { ${names.join(", ")} } from "@acp-kit/testing";`,
      'import { spawnPeer } from "@acp-kit/testing/node";',
      ...(this.#run.isVersion2 ? [`import { ${client} } from "@acp-kit/testing/v2";`] : []),
      'import { expect, it } from "vitest";',
      "",
      'it("the agent behaves as in the recording", async () => {',
      `  await using client = ${client}()`,
      ...handlers.map((line) => `    ${line}`),
      `    .connect(${agent});`,
      "  let start = 0; // the number of received messages before the current step",
      "  const agentMessages = () =>",
      "    expect.poll(() => comparableMessages(client.receivedSoFar().slice(start)), { timeout: 10_000 });",
      ...steps.map((line) => (line === "" ? "" : `  ${line}`)),
      "}, 120_000);",
      "",
    ].join("\n");
  }

  #comment(): string[] {
    const { leftOut, command, steps, responses } = this.#run;
    const lines = [...leftOut].map(([reason, count]) => `${reason} (${count})`);
    if (this.#runs > 1)
      lines.push(`the other connections of the recording: the test has the last one with a prompt (${this.#runs - 1})`);
    if (steps.some(({ cancelledAfter }) => cancelledAfter !== undefined))
      lines.push(
        "the updates of cancelled turns, because their number depends on the time at which the agent receives the cancellation",
      );
    if (steps.some(({ overlaps }) => overlaps))
      lines.push(
        "the order of requests that were open at the same time, and the updates during them: the test sends these requests one by one",
      );
    if (responses.some((each) => each.result === undefined && each.error === undefined))
      lines.push("responses to requests of the agent for which the recording contains no response");
    if (this.#hasRedacted)
      lines.push('secrets: the recording has "[redacted]" in their place. Write them here if the agent needs them');
    if (this.#target(command) === undefined)
      lines.push(
        "the command of the agent, because the recording contains no command that starts a process. Write the command into `spawnPeer`",
      );
    return [
      "// A test of an agent, written by the inspector of acp-kit from a recording.",
      "// The test sends the recorded messages of the client to the agent, and expects the recorded messages of the agent. Edit what differs in each run.",
      "//",
      "// Not compared: times, `_meta`, names and versions of the agent and the client, texts of errors, and the boundaries of streamed chunks. Ids of",
      "// sessions, tool calls, messages, terminals and elicitations are compared by their order of appearance.",
      ...(lines.length === 0
        ? ["// Nothing of the recording was left out."]
        : ["// Left out:", ...lines.map((line) => `// - ${line}.`)]),
      "",
    ];
  }

  #target(command: readonly string[] | undefined): readonly string[] | undefined {
    const [program] = command ?? [];
    return program === undefined || /^(?:https?|wss?):/i.test(program) ? undefined : command;
  }

  #agent(): string {
    const [command = "my-agent", ...args] = this.#target(this.#run.command) ?? [];
    return `spawnPeer(${this.#code({ command, args }, "    ")})`;
  }

  #handlers(): string[] {
    const byMethod = new Map<string, RecordedResponse[]>();
    for (const response of this.#run.responses) {
      const known = byMethod.get(response.method);
      if (known === undefined) byMethod.set(response.method, [response]);
      else known.push(response);
    }
    return [...byMethod].flatMap(([method, responses]) => {
      const list = responses.map((response) =>
        response.afterCancelOf === undefined ? contentOf(response) : undefined,
      );
      const source = this.#code(
        list.map((content) => content ?? new Expression("noResponse")),
        "    ",
      );
      return [`.on(${quoted(method)}, inOrder(${source}))`];
    });
  }

  #step(step: RecordedStep): string[] {
    const { method, params, isRequest, newSession, cancelledAfter, overlaps, messages } = step;
    const args = `${quoted(method)}${params === undefined ? "" : `, ${this.#code(params, "  ")}`}`;
    const lines = ["", "start = client.receivedSoFar().length;"];
    if (cancelledAfter !== undefined) return [...lines, ...this.#cancelledTurn(step, args)];
    const call = `await client.request(${args})`;
    if (!isRequest) lines.push(`client.notify(${args});`);
    else if (newSession !== undefined && !this.#sessions.has(newSession)) {
      const name = `session${this.#sessions.size + 1}`;
      this.#sessions.set(newSession, `${name}?.sessionId`);
      lines.push(`const { result: ${name} } = ${call};`);
    } else if (overlaps) lines.push(`expect(comparableMessages([${call}])).toEqual(${this.#responseOf(step)});`);
    else lines.push(`${call};`);
    if (!overlaps) lines.push(...this.#expected(messages));
    else if (step.isWork) lines.push(END_OF_WORK);
    return lines;
  }

  #cancelledTurn(step: RecordedStep, args: string): string[] {
    const { params, cancelledAfter = 0 } = step;
    const name = `turn${this.#run.steps.indexOf(step) + 1}`;
    const { sessionId } = members(params);
    const late = this.#run.responses.filter(({ afterCancelOf }) => afterCancelOf === step);
    return [
      `const ${name} = client.request(${args});`,
      ...(cancelledAfter === 0
        ? []
        : ["await expect.poll(() => client.receivedSoFar().length).toBeGreaterThan(start);"]),
      ...late.map((response) => `await expect.poll(() => ${this.#requestOf(response)}).toBeDefined();`),
      `client.notify("session/cancel", ${this.#code({ sessionId }, "  ")});`,
      ...late.map((response) => this.#lateResponse(response)),
      `expect(comparableMessages([await ${name}])).toEqual(${this.#responseOf(step)});`,
      ...(step.isWork ? [END_OF_WORK] : []),
    ];
  }

  #requestOf(response: RecordedResponse): string {
    const index = this.#run.responses.filter(({ method }) => method === response.method).indexOf(response);
    return `client.receivedSoFar(${quoted(response.method)})[${index}]`;
  }

  #lateResponse(response: RecordedResponse): string {
    const id = `${this.#requestOf(response)}?.id ?? null`;
    if (response.error === undefined) return `client.respond(${id}, ${this.#code(response.result, "  ")});`;
    const { code, message } = members(response.error);
    return `client.refuse(${id}, ${this.#code(code, "  ")}, ${this.#code(message, "  ")});`;
  }

  #responseOf({ messages }: RecordedStep): string {
    const response = messages.findLast((message) => members(message).method === undefined);
    return this.#code(comparableMessages([response]), "  ", "expected");
  }

  #expected(messages: readonly unknown[]): string[] {
    if (messages.length === 0) return [];
    return [`await agentMessages().toEqual(${this.#code(comparableMessages(messages), "  ", "expected")});`];
  }

  /** Returns a value of the recording as source. In an expected value, a redacted text matches any text. */
  #code(value: unknown, indent: string, use: "sent" | "expected" = "sent"): string {
    const replaced = (each: unknown, name: string): unknown => {
      if (typeof each === "string" && each.includes("[redacted")) {
        this.#hasRedacted = true;
        if (use === "expected") return new Expression("expect.any(String)");
      }
      if (use === "sent" && name === "sessionId" && typeof each === "string" && this.#sessions.has(each))
        return new Expression(this.#sessions.get(each) ?? "");
      if (Array.isArray(each)) return each.map((item) => replaced(item, ""));
      if (typeof each !== "object" || each === null || each instanceof Expression) return each;
      return Object.fromEntries(Object.entries(each).map(([key, member]) => [key, replaced(member, key)]));
    };
    return sourceOf(replaced(value, ""), indent);
  }
}

/** Waits for the end of the work on a prompt of version 2. */
const END_OF_WORK = `await expect.poll(() => JSON.stringify(client.receivedSoFar().slice(start))).toContain('"state":"idle"');`;

function contentOf({ result, error }: RecordedResponse): object | undefined {
  if (error !== undefined) return { error };
  return result === undefined ? undefined : { result };
}
