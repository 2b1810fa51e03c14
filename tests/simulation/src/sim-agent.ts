import { Connection, RpcError, type Transport } from "@acp-kit/jsonrpc";
import { policyAnswer } from "./answers.js";
import type { AgentTurn, Record as Log } from "./record.js";
import { FIRST_MODE, FIRST_OPTION, modeIds, optionOf, stateKinds, updateOf } from "./words.js";
import type { SimProcess, World } from "./world.js";

/**
 * The options of permission requests. Users choose one of the first, so that answers of different users differ; the
 * policy of the gateway chooses the last.
 */
export const userAnswers = ["yes0", "yes1", "yes2", "yes3"];
const options = [
  ...userAnswers.map((optionId) => ({ optionId, name: "Yes", kind: "allow_once" })),
  { optionId: policyAnswer, name: "No", kind: "reject_once" },
];

const mixedKinds = [...stateKinds.filter((kind) => kind !== "mode"), "setting", "command"] as const;

const INVALID_PARAMS = -32602;
const METHOD_NOT_FOUND = -32601;

interface Form {
  readonly action?: string;
  readonly content?: { readonly answer?: string };
}

interface PromptParams {
  readonly sessionId: string;
  readonly prompt: readonly { readonly text: string }[];
}

/** The parts of the simulation that an agent uses. */
export interface SimAgentOptions {
  readonly world: World;
  readonly process: SimProcess;
  readonly log: Log;
  /** The mode of each session, which the agents store. */
  readonly modes: Map<string, string>;
  /** The option of each session in a simulation with both versions, which the agents store. */
  readonly options: Map<string, string>;
  readonly tenant: string;
  /** Whether agents and clients speak version 1 or 2. Modes and options then have values that both can have. */
  readonly isMixed: boolean;
  /** Whether the agent also requests forms, files and terminals. */
  readonly hasRequests: boolean;
  /** Creates unique ids. */
  readonly newId: () => string;
  /**
   * Called when the agent receives the response to a permission request. `isCancelled`: it has received the
   * cancellation of the turn before.
   */
  readonly onAnswer: (request: string, answer: string, isCancelled: boolean) => void;
  readonly problem: (message: string) => void;
}

/** An agent that streams numbered words, sometimes requests a permission, and records its actions. */
export function playAgent(
  transport: Transport,
  {
    world,
    process,
    log,
    modes,
    options: values,
    tenant,
    isMixed,
    hasRequests,
    newId,
    onAnswer,
    problem,
  }: SimAgentOptions,
): void {
  const connection = new Connection(transport, {
    onDiagnostic: ({ code, message }) => {
      if (code === "unknown_response") problem(`answers: an agent received a response twice: ${message}`);
    },
  });
  const { random } = world;
  const cancelled = new Set<string>();
  const running = new Map<string, AgentTurn>();
  const sleep = (ms: number): Promise<void> => new Promise((resolve) => process.after(ms, resolve));
  const send = (sessionId: string, update: object): void =>
    void connection.notify("session/update", { sessionId, update });
  const say = (sessionId: string, text: string): void => send(sessionId, updateOf("text", text));
  /** Some agents open a session in another mode than the one in which they left it. */
  const reopened = (sessionId: string): object => {
    if (random.chance(0.2)) {
      modes.set(sessionId, isMixed ? anyMode() : `${tenant}/reopened/${newId()}:mode `);
      if (isMixed) values.set(sessionId, newId());
    }
    return setup(sessionId);
  };
  const anyMode = (): string => random.pick(modeIds) ?? "";
  const setup = (sessionId: string): object =>
    isMixed
      ? {
          modes: {
            currentModeId: modes.get(sessionId) ?? modeIds[0],
            availableModes: modeIds.map((id) => ({ id, name: id })),
          },
          configOptions: [optionOf(values.get(sessionId) ?? FIRST_OPTION)],
        }
      : { modes: { currentModeId: modes.get(sessionId) ?? FIRST_MODE, availableModes: [] } };
  /** Changes a setting in a turn. */
  const changeSetting = (sessionId: string, value: string): void => {
    if (random.chance(0.5)) {
      modes.set(sessionId, anyMode());
      send(sessionId, updateOf("mode", modes.get(sessionId) ?? ""));
    } else {
      values.set(sessionId, value);
      send(sessionId, { sessionUpdate: "config_option_update", configOptions: [optionOf(value)] });
    }
  };
  /** Reads a file of the client that serves files. The client may leave meanwhile. */
  const readFile = async (sessionId: string, path: string): Promise<void> => {
    const file = await connection.request("fs/read_text_file", { sessionId, path }).catch(() => undefined);
    if (file !== undefined) onAnswer(path, (file as { readonly content: string }).content, cancelled.has(sessionId));
  };
  /** Uses a terminal of a client that serves terminals. The client may leave meanwhile. */
  const useTerminal = async (sessionId: string, command: string): Promise<void> => {
    const request = (method: string, params: object): Promise<unknown> =>
      connection.request(method, { sessionId, ...params }).catch(() => undefined);
    const created = await request("terminal/create", { command });
    if (created === undefined) return;
    const { terminalId } = created as { readonly terminalId: string };
    if (random.chance(0.5)) await readFile(sessionId, `${command}?file`);
    const output = await request("terminal/output", { terminalId });
    if (output !== undefined)
      onAnswer(terminalId, (output as { readonly output: string }).output, cancelled.has(sessionId));
    await request("terminal/release", { terminalId });
  };
  /** Runs a command at the agent. Its terminal has no word, but the clients must show the whole output. */
  const runCommand = async (sessionId: string, id: string): Promise<void> => {
    const call = (update: object): void => send(sessionId, { toolCallId: id, ...update });
    call({
      sessionUpdate: "tool_call",
      title: "Run",
      status: "in_progress",
      content: [{ type: "terminal", terminalId: id }],
      _meta: { terminal_info: { terminal_id: id, cwd: "/" } },
    });
    for (let i = 0, lines = random.int(1, 4); i < lines; i++) {
      if (random.chance(0.7)) await sleep(random.int(0, 200));
      if (process.isDead) return;
      const data = `${id} – ${i};`; // the dash has several bytes
      call({ sessionUpdate: "tool_call_update", _meta: { terminal_output: { terminal_id: id, data } } });
    }
    const exit = { terminal_exit: { terminal_id: id, exit_code: 0 } };
    const title = random.pick(["", "Done", null]); // cleared, changed, unchanged
    call({ sessionUpdate: "tool_call_update", title, status: "completed", _meta: exit });
  };
  connection.onRequest("initialize", () => ({
    protocolVersion: 1,
    agentCapabilities: { loadSession: true, sessionCapabilities: random.chance(0.5) ? { resume: {}, close: {} } : {} },
  }));
  connection.onRequest("session/new", () => {
    const sessionId = newId();
    return { sessionId, ...setup(sessionId) };
  });
  connection.onRequest("session/close", () => ({}));
  connection.onRequest("session/resume", (params) => reopened((params as PromptParams).sessionId));
  connection.onRequest("session/load", (params) => {
    const { sessionId } = params as PromptParams;
    say(sessionId, "REPLAY");
    return reopened(sessionId);
  });
  connection.onNotification("session/cancel", (params) => {
    const { sessionId } = params as PromptParams;
    cancelled.add(sessionId);
    const turn = running.get(sessionId);
    if (turn !== undefined) turn.cancelledAt ??= world.now();
  });
  connection.onRequest("session/set_mode", (params) => {
    const { sessionId, modeId } = params as { readonly sessionId: string; readonly modeId: string };
    if (!isMixed) log.count(log.calls, modeId);
    modes.set(sessionId, modeId);
    return {};
  });
  connection.onRequest("session/set_config_option", (params) => {
    const { sessionId, configId, value } = params as {
      readonly sessionId: string;
      readonly configId: string;
      readonly value: string;
    };
    if (isMixed && configId !== "option") throw new RpcError(INVALID_PARAMS, `There is no option ${configId}`);
    log.count(log.calls, value);
    values.set(sessionId, value);
    if (isMixed) return { configOptions: [optionOf(value)] };
    return { configOptions: [{ id: configId, name: configId, type: "select", currentValue: value, options: [] }] };
  });
  connection.onRequest("_count", (params) => {
    const { name } = params as { readonly name: string };
    log.count(log.calls, name);
    return { name };
  });
  connection.onRequest("session/prompt", async (params, { afterResponse }) => {
    const { sessionId, prompt } = params as PromptParams;
    const name = prompt[0]?.text ?? "";
    log.count(log.executed, name);
    const turn: AgentTurn = { at: world.now() };
    log.turns.set(name, [...(log.turns.get(name) ?? []), turn]);
    cancelled.delete(sessionId);
    running.set(sessionId, turn);
    const sent: string[] = [];
    log.sent.set(name, [...(log.sent.get(name) ?? []), sent]);
    const commands: Promise<void>[] = [];
    const words = random.int(0, 12);
    for (let i = 0; i < words && !cancelled.has(sessionId); i++) {
      if (random.chance(0.5)) await sleep(random.int(0, 200));
      if (process.isDead || connection.state !== "open") return { stopReason: "end_turn" };
      const kind = random.chance(0.25) ? (random.pick(isMixed ? mixedKinds : stateKinds) ?? "text") : "text";
      if (kind === "setting" || kind === "command") {
        if (kind === "setting") changeSetting(sessionId, `${name}#${i}`);
        else commands.push(runCommand(sessionId, `${name}!${i}`));
        continue;
      }
      const word = kind === "text" ? `${name}#${i} ` : `${name}#${i}:${kind} `;
      sent.push(word);
      if (kind === "mode") modes.set(sessionId, word);
      send(sessionId, updateOf(kind, word));
      if (!random.chance(0.1)) continue;
      const form = hasRequests && random.chance(0.5);
      if (hasRequests && random.chance(0.3)) await readFile(sessionId, `${name}?file${i}`);
      if (hasRequests && random.chance(0.3)) await useTerminal(sessionId, `${name}?terminal${i}`);
      if (form) {
        const request = `${name}?form${i}`;
        const schema = { type: "object", properties: {} };
        const elicitation = { sessionId, mode: "form", message: request, requestedSchema: schema };
        const answer = await connection
          .request("elicitation/create", elicitation)
          .catch((error: { readonly code?: number }) => {
            if (error.code !== METHOD_NOT_FOUND) throw error;
            return undefined; // the only clients do not support forms
          });
        const isCancelled = cancelled.has(sessionId);
        const { action, content } = (answer ?? {}) as Form;
        const cancelledBy = isCancelled ? "cancelled" : policyAnswer;
        if (action !== undefined) onAnswer(request, content?.answer ?? cancelledBy, isCancelled);
        continue;
      }
      const request = `${name}?${i}`;
      const result = (await connection.request("session/request_permission", {
        sessionId,
        toolCall: { toolCallId: request },
        options,
      })) as {
        readonly outcome: { readonly outcome: string; readonly optionId?: string };
      };
      onAnswer(request, result.outcome.optionId ?? result.outcome.outcome, cancelled.has(sessionId));
    }
    await Promise.all(commands);
    const stopReason = cancelled.has(sessionId) ? "cancelled" : "end_turn";
    running.delete(sessionId);
    turn.end = { at: world.now(), stopReason };
    afterResponse(() => say(sessionId, `${name}#late `));
    return { stopReason };
  });
  connection.listen();
}
