import { type ClientCheck, type ClientScenario, turnScenario } from "../../client/checks.js";
import type { ClientScenarioContext } from "../../client/client-context.js";
import type { ClientResponse } from "../../client/scripted-agent.js";
import type { Turn } from "../../client/turn.js";
import type { ResponseMatcher } from "../../finding.js";
import { isRefusal, isRefusalWith, isResultWith, isSuccess } from "../../response-matchers.js";
import { asText, type Json, member, shown } from "../../wire/values.js";

class Terminal {
  readonly id: string;
  readonly #turn: Turn;

  constructor(turn: Turn, id: string) {
    this.#turn = turn;
    this.id = id;
  }

  request(act: "output" | "wait_for_exit" | "kill" | "release", more: Json = {}): Promise<ClientResponse> {
    return this.#turn.request(`terminal/${act}`, { terminalId: this.id, ...more });
  }

  /** Reads the output after the end of the command, and then releases the terminal. */
  async finalOutput(): Promise<ClientResponse> {
    await this.request("wait_for_exit");
    const response = await this.request("output");
    await this.request("release");
    return response;
  }

  /** Reads the output until a condition is true, within the limit of a step. */
  async outputWhen(context: ClientScenarioContext, holds: (output: string) => boolean): Promise<ClientResponse> {
    const until = performance.now() + context.driving.stepTimeoutMs;
    for (;;) {
      const response = await this.request("output");
      if (response.error || holds(asText(member(response.result, "output"))) || performance.now() > until)
        return response;
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

const writes = (text: string): string => `process.stdout.write(${JSON.stringify(text)})`;

const stays = "setInterval(() => {}, 1000)";

const isDone = isResultWith({ output: "done", truncated: false, exitStatus: { exitCode: 3 } });

const isExit = (exitCode: number): ResponseMatcher => isResultWith({ exitCode });

/** The checks of clients: terminals. */
export const terminalsClientChecks: readonly ClientCheck[] = [
  terminalScenario("terminals/life", ["TERM-10", "TERM-02", "TERM-09"], {
    title: "A terminal runs a command, waits for it, returns its output and is released",
    run: async (context, turn) => {
      const terminal = await create(context, turn, `${writes("done")}; process.exitCode = 3`);
      const waited = await terminal.request("wait_for_exit");
      context.expect("TERM-10", waited, isExit(3), "`terminal/wait_for_exit` of a command that exits with 3");
      const output = await terminal.request("output");
      context.expect("TERM-09", output, isDone, '`terminal/output` of a command that wrote "done" and ended with 3');
      context.expect("TERM-02", await terminal.request("release"), isSuccess, "`terminal/release`");
    },
  }),
  terminalScenario("terminals/create-at-once", ["TERM-04", "TERM-09"], {
    title: "A terminal exists before its command has ended, and its output can be read",
    run: async (context, turn) => {
      const terminal = await create(context, turn, `${writes("begun")}; ${stays}`);
      const output = await terminal.outputWhen(context, (text) => text === "begun");
      if (member(output.result, "output") !== "begun" || (member(output.result, "exitStatus") ?? null) !== null) {
        context.note("TERM-09", {
          sent: '`terminal/output` of a command that has written "begun" and is still running',
          received: shown(output),
        });
      }
      await terminal.request("release");
    },
  }),
  terminalScenario("terminals/arguments", ["TERM-06"], {
    title: "The command gets its arguments and environment variables unchanged",
    run: async (context, turn) => {
      const words = ["two words", "$HOME", '"quoted"', "ü*"];
      const code = "process.stdout.write(JSON.stringify([process.argv.slice(-4), process.env.ACP_KIT_PROBE]))";
      const terminal = await create(context, turn, code, { env: [{ name: "ACP_KIT_PROBE", value: "a b=c" }] }, words);
      const output = await terminal.finalOutput();
      if (member(output.result, "output") === JSON.stringify([words, "a b=c"])) return;
      context.fail("TERM-06", {
        sent: `\`terminal/create\` with the arguments ${shown(words)} and ACP_KIT_PROBE="a b=c"`,
        received: shown(output),
      });
    },
  }),
  terminalScenario("terminals/output-limit", ["TERM-07"], {
    title: "`outputByteLimit` keeps the end of the output",
    run: async (context, turn) => {
      const text = Array.from({ length: 100 }, (_, index) => index).join(",");
      const terminal = await create(context, turn, writes(text), { outputByteLimit: 10 });
      const response = await terminal.finalOutput();
      const output = member(response.result, "output");
      if (
        typeof output === "string" &&
        output !== "" &&
        output.length <= 10 &&
        text.endsWith(output) &&
        member(response.result, "truncated") === true
      )
        return;
      context.fail("TERM-07", {
        sent: `\`outputByteLimit\` 10 for a command that writes ${shown(text, 60)}`,
        received: response,
        explanation: `The client removes the beginning of the output: ${shown(text.slice(-10))} remains, and \`truncated\` is true.`,
      });
    },
  }),
  terminalScenario("terminals/output-limit-characters", ["TERM-08", "TERM-07"], {
    title: "`outputByteLimit` cuts the output between characters",
    run: async (context, turn) => {
      const text = "aä\u20ac\u{1f9ea}".repeat(3);
      for (const limit of [1, 3, 4, 5, 8]) {
        const terminal = await create(context, turn, writes(text), { outputByteLimit: limit });
        const response = await terminal.finalOutput();
        const output = member(response.result, "output");
        const isCutBetween = typeof output === "string" && text.endsWith(output);
        const fits = isCutBetween && new TextEncoder().encode(output).length <= limit;
        if (fits) continue;
        context.note(isCutBetween ? "TERM-07" : "TERM-08", {
          // Output that is too long but not cut inside a character breaks only TERM-07 (the limit), not TERM-08 (no cut
          // characters).
          sent: `\`outputByteLimit\` ${limit} for ${shown(text)}`,
          received: response,
          explanation: `The output is at most ${limit} bytes of the end of the text, and no part of a character.`,
        });
      }
    },
  }),
  terminalScenario("terminals/several-waits", ["TERM-11"], {
    title: "Every wait for a command gets a response, even after the command has ended",
    run: async (context, turn) => {
      const terminal = await create(context, turn, "setTimeout(() => process.exit(4), 100)");
      const responses = await Promise.all([terminal.request("wait_for_exit"), terminal.request("wait_for_exit")]);
      responses.push(await terminal.request("wait_for_exit"));
      await terminal.request("release");
      for (const response of responses)
        context.expect("TERM-11", response, isExit(4), "Three times `terminal/wait_for_exit`");
    },
  }),
  terminalScenario("terminals/kill", ["TERM-12", "TERM-04"], {
    title: "The terminal of a killed command still responds",
    run: async (context, turn) => {
      const terminal = await create(context, turn, `${writes("begun")}; ${stays}`);
      await terminal.outputWhen(context, (text) => text === "begun");
      const waiting = terminal.request("wait_for_exit");
      const killed = await terminal.request("kill");
      const responses = [killed, await waiting, await terminal.request("output")];
      await terminal.request("release");
      const wrong = responses.find((response) => response.error);
      if (wrong) {
        context.fail("TERM-12", {
          sent: "`terminal/kill`, and then output and exit of that terminal",
          received: shown(wrong),
          explanation: "Every terminal/* request about a terminal succeeds until the agent releases it.",
        });
      }
      const output = responses[2];
      if (member(output?.result, "output") === "begun" && member(output?.result, "exitStatus")) return;
      context.fail("TERM-12", {
        sent: "`terminal/output` after `terminal/kill`",
        received: shown(output),
        explanation: 'The output is still "begun", and the result has an `exitStatus`.',
      });
    },
  }),
  terminalScenario("terminals/release-kills", ["TERM-14", "TERM-04"], {
    title: "Releasing a terminal ends its command",
    run: async (context, turn) => {
      const terminal = await create(context, turn, `process.stdout.write(String(process.pid)); ${stays}`);
      const output = await terminal.outputWhen(context, (text) => text !== "");
      const pid = Number(member(output.result, "output"));
      if (!Number.isInteger(pid) || pid <= 0)
        return context.skip(`The command did not print its process id: ${shown(output)}`);
      await terminal.request("release");
      const until = performance.now() + context.driving.stepTimeoutMs;
      while (context.host.isAlive(pid) && performance.now() < until)
        await new Promise((resolve) => setTimeout(resolve, 20));
      if (!context.host.isAlive(pid)) return;
      context.fail("TERM-14", {
        sent: "`terminal/release` of a running command",
        received: `Its process ${pid} was still alive ${context.driving.stepTimeoutMs} ms later.`,
      });
    },
  }),
  terminalScenario("terminals/released", ["TERM-15"], {
    title: "A request for a released terminal gets an error",
    run: async (context, turn) => {
      const terminal = await create(context, turn, writes("done"));
      await terminal.request("wait_for_exit");
      await terminal.request("release");
      for (const act of ["output", "wait_for_exit", "kill"] as const) {
        const response = await terminal.request(act);
        context.expect("TERM-15", response, isRefusal, `\`terminal/${act}\` after \`terminal/release\``);
      }
    },
  }),
  terminalScenario("terminals/unknown", ["TERM-16"], {
    title: "An unknown terminal gets the error -32002",
    run: async (context, turn) => {
      const response = await turn.request("terminal/output", { terminalId: "no such terminal" });
      context.expect("TERM-16", response, isRefusalWith(-32002), "`terminal/output` of an unknown terminal");
    },
  }),
  terminalScenario("terminals/malformed", ["WIRE-04", "TERM-03"], {
    title: "A terminal without a command, or with malformed arguments, is refused",
    run: async (context, turn) => {
      const { command } = context.host.script;
      for (const params of [
        {},
        { command, args: "x" },
        { command, cwd: 5 },
        { command, outputByteLimit: "10" },
      ] as Json[]) {
        const response = await turn.request("terminal/create", params);
        if (response.error?.code === -32602) continue;
        context.note("WIRE-04", {
          sent: `\`terminal/create\` with ${shown(params)}`,
          received: response,
          explanation: "Malformed params get the error -32602.",
        });
        const id = member(response.result, "terminalId");
        if (typeof id === "string") await new Terminal(turn, id).request("release");
      }
    },
  }),
  terminalScenario("terminals/of-another-session", ["TERM-21", "TERM-04"], {
    title: "A terminal is unknown in other sessions",
    run: async (context, turn) => {
      const terminal = await create(context, turn, stays);
      const response = await terminal.request("output", { sessionId: "another session" });
      await terminal.request("release");
      context.expect("TERM-21", response, isRefusal, "`terminal/output` with the id of another session");
    },
  }),
  terminalScenario("terminals/odd-cases", ["TERM-20", "TERM-04"], {
    title: "A terminal/create of a missing command, and a wait during a release, get a response",
    run: async (context, turn) => {
      const missing = await turn.request("terminal/create", { command: "/no/such/command-of-acp-kit" });
      const id = member(missing.result, "terminalId");
      if (typeof id === "string") {
        const terminal = new Terminal(turn, id);
        await terminal.request("wait_for_exit");
        await terminal.request("kill");
        await terminal.request("release");
      }
      const terminal = await create(context, turn, stays);
      const waiting = terminal.request("wait_for_exit");
      await terminal.request("release");
      await waiting;
      await context.survived(turn, "TERM-20", "odd uses of terminals");
    },
  }),
];

async function create(
  context: ClientScenarioContext,
  turn: Turn,
  code: string,
  more: Json = {},
  args: readonly string[] = [],
): Promise<Terminal> {
  const { command, args: first } = context.host.script;
  const params = { sessionId: turn.sessionId, command, args: [...first, code, ...args], ...more };
  const isEndless = code.endsWith(stays);
  const sent = `\`terminal/create\` of a command that ${isEndless ? "does not end by itself" : "ends by itself"}: ${shown(params)}`;
  // A client that waits for the end of the command before it responds breaks TERM-04.
  const requirement = isEndless ? "TERM-04" : "RPC-04";
  const response = await turn.agent.request("terminal/create", params, sent, undefined, requirement);
  const id = member(response.result, "terminalId");
  if (typeof id === "string") return new Terminal(turn, id);
  return context.fail("TERM-02", {
    sent: `\`terminal/create\` of ${command}`,
    received: response,
    explanation: "A client that advertises terminals creates one for each valid terminal/create.",
  });
}

function terminalScenario(
  id: string,
  verifies: readonly string[],
  { title, run }: { title: string; run(context: ClientScenarioContext, turn: Turn): Promise<void> },
): ClientScenario {
  return turnScenario(id, verifies.includes("TERM-02") ? verifies : [...verifies, "TERM-02"], {
    title,
    needs: ["clientCapabilities.terminal"],
    // If the client's terminals do not work at all, all scenarios about terminals fail. The report shows them as one
    // fault, which the scenario `life` represents.
    ...(id !== "terminals/life" && { basis: "terminals/life" }),
    run,
  });
}
