import { Connection, type Transport } from "@acp-kit/jsonrpc";
import { policyAnswer } from "./answers.js";
import type { AgentTurn, Record as Log } from "./record.js";
import { FIRST_MODE, stateKinds, updateOf } from "./words.js";
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

const kindsWithoutModes = stateKinds.filter((kind) => kind !== "mode");

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
  readonly tenant: string;
  /** Whether the agent has modes. */
  readonly hasModes: boolean;
  /** Whether the agent also requests forms, files and terminals. */
  readonly isVaried: boolean;
  /** Creates unique ids. */
  readonly newId: () => string;
  /**
   * Called when the agent receives the response to a permission request. `isCancelled`: it has received the
   * cancellation of the turn before.
   */
  readonly onAnswer: (request: string, answer: string, isCancelled: boolean) => void;
}

/** An agent that streams numbered words, sometimes requests a permission, and records its actions. */
export function playAgent(
  transport: Transport,
  { world, process, log, modes, tenant, hasModes, isVaried, newId, onAnswer }: SimAgentOptions,
): void {
  const connection = new Connection(transport);
  const { random } = world;
  const cancelled = new Set<string>();
  const running = new Map<string, AgentTurn>();
  const sleep = (ms: number): Promise<void> => new Promise((resolve) => process.after(ms, resolve));
  const send = (sessionId: string, update: object): void =>
    void connection.notify("session/update", { sessionId, update });
  const say = (sessionId: string, text: string): void => send(sessionId, updateOf("text", text));
  /** Some agents open a session in another mode than the one in which they left it. */
  const reopened = (sessionId: string): object => {
    if (random.chance(0.2)) modes.set(sessionId, `${tenant}/reopened/${newId()}:mode `);
    return setup(sessionId);
  };
  const setup = (sessionId: string): object =>
    hasModes ? { modes: { currentModeId: modes.get(sessionId) ?? FIRST_MODE, availableModes: [] } } : {};
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
    log.count(log.calls, modeId);
    modes.set(sessionId, modeId);
    return {};
  });
  connection.onRequest("session/set_config_option", (params) => {
    const { configId, value } = params as { readonly configId: string; readonly value: string };
    log.count(log.calls, value);
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
    const words = random.int(0, 12);
    for (let i = 0; i < words && !cancelled.has(sessionId); i++) {
      if (random.chance(0.5)) await sleep(random.int(0, 200));
      if (process.isDead || connection.state !== "open") return { stopReason: "end_turn" };
      const kind = random.chance(0.25) ? (random.pick(hasModes ? stateKinds : kindsWithoutModes) ?? "text") : "text";
      const word = kind === "text" ? `${name}#${i} ` : `${name}#${i}:${kind} `;
      sent.push(word);
      if (kind === "mode") modes.set(sessionId, word);
      send(sessionId, updateOf(kind, word));
      if (!random.chance(0.1)) continue;
      const form = isVaried && random.chance(0.5);
      if (isVaried && random.chance(0.3)) await readFile(sessionId, `${name}?file${i}`);
      if (isVaried && random.chance(0.3)) await useTerminal(sessionId, `${name}?terminal${i}`);
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
    const stopReason = cancelled.has(sessionId) ? "cancelled" : "end_turn";
    running.delete(sessionId);
    turn.end = { at: world.now(), stopReason };
    afterResponse(() => say(sessionId, `${name}#late `));
    return { stopReason };
  });
  connection.listen();
}
