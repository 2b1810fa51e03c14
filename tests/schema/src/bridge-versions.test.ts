import { linkedTransports, type Message, type Transport } from "@acp-kit/jsonrpc";
import * as v2 from "@acp-kit/schema/v2/validate";
import * as v1 from "@acp-kit/schema/validate";
import { bridgeVersions } from "@acp-kit/v2/bridge";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Arbitraries } from "./arbitrary.js";
import { subjects } from "./schemas.js";

type Json = Record<string, unknown>;
type Validators = Readonly<Record<string, (value: unknown) => unknown>>;

const arbitraries = (id: string): Arbitraries => {
  const subject = subjects.find((each) => each.id === id);
  if (subject === undefined) throw new Error(`No schema ${id}`);
  return new Arbitraries(subject.ir);
};

/** Two peers with a bridge between them, which are initialized with different versions. */
async function bridged(client: 1 | 2) {
  const [agentEnd, bridgeEnd] = linkedTransports();
  const clientEnd = bridgeVersions(bridgeEnd, { prefer: client === 1 ? 2 : 1 });
  const toClient: Json[] = [];
  const toAgent: Json[] = [];
  listen(clientEnd, toClient);
  listen(agentEnd, toAgent);
  const info = { name: "x", version: "1" };
  const session = { notices: {}, compaction: {}, configOptions: { boolean: {} } };
  const params =
    client === 1
      ? { protocolVersion: 1, clientCapabilities: { session } }
      : { protocolVersion: 2, info, capabilities: {} };
  const result =
    client === 1
      ? { protocolVersion: 2, info, capabilities: { session: {} } }
      : {
          protocolVersion: 1,
          agentCapabilities: {
            loadSession: true,
            sessionCapabilities: { list: {}, resume: {}, close: {}, delete: {} },
            auth: { logout: {} },
          },
        };
  clientEnd.send({ jsonrpc: "2.0", id: 0, method: "initialize", params });
  await turn();
  agentEnd.send({ jsonrpc: "2.0", id: 0, result });
  await turn();
  toClient.length = 0;
  toAgent.length = 0;
  return { clientEnd, agentEnd, toClient, toAgent };
}

function listen(transport: Transport, received: Json[]): void {
  transport.start({ message: (value) => void received.push(value as Json), malformed() {}, ended() {}, failed() {} });
}

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

/** The tags of updates that a version defines. Others are passed unchanged. */
const tags = {
  1: new Set(
    "user_message_chunk agent_message_chunk agent_thought_chunk tool_call tool_call_update plan available_commands_update current_mode_update config_option_update session_info_update usage_update notice compaction_update compaction_summary_chunk".split(
      " ",
    ),
  ),
  2: new Set(
    "user_message_chunk user_message agent_message_chunk agent_message agent_thought_chunk agent_thought state_update tool_call_content_chunk tool_call_update terminal_update terminal_output_chunk plan_update available_commands_update config_option_update session_info_update usage_update notice compaction_update compaction_summary_chunk".split(
      " ",
    ),
  ),
};

describe.each([
  { client: 1, agent: 2, from: arbitraries("v2"), validators: v1, notification: "UpdateSessionNotification" },
  { client: 2, agent: 1, from: arbitraries("v1"), validators: v2, notification: "SessionNotification" },
] as const)(
  "a client of version $client and an agent of version $agent",
  ({ client, agent, from, validators, notification }) => {
    it("versions.valid-messages: any valid updates of the agent are valid for the client, or unknown and unchanged", async () => {
      const updates = fc.array(from.valueOf(notification) as fc.Arbitrary<Json>, { minLength: 1, maxLength: 8 });
      await fc.assert(
        fc.asyncProperty(updates, async (sent) => {
          const { agentEnd, toClient } = await bridged(client);
          const original = JSON.stringify(sent);
          for (const params of sent) agentEnd.send({ jsonrpc: "2.0", method: "session/update", params });
          await turn();
          await agentEnd.close();
          expect(JSON.stringify(sent)).toBe(original);
          const known = (params: Json): boolean =>
            tags[agent].has((params.update as { sessionUpdate: string }).sessionUpdate);
          for (const { params } of toClient) {
            const isConverted = tags[client].has(((params as Json).update as { sessionUpdate: string }).sessionUpdate);
            if (isConverted) expect(validators.agentValidators.params["session/update"](params)).toEqual([]);
            else expect(sent.filter((each) => !known(each))).toContainEqual(params);
          }
        }),
        { numRuns: 200 },
      );
    });

    it("any valid requests of the client are valid for the agent, or refused by the bridge", async () => {
      const sender = client === 1 ? v1.clientValidators : v2.clientValidators;
      const receiver = client === 1 ? v2.clientValidators : v1.clientValidators;
      const names: Record<string, string> = {
        "session/new": "NewSessionRequest",
        "session/resume": "ResumeSessionRequest",
        "session/list": "ListSessionsRequest",
        "session/close": "CloseSessionRequest",
        "session/delete": "DeleteSessionRequest",
        "session/prompt": "PromptRequest",
        "session/set_config_option": "SetSessionConfigOptionRequest",
        ...(client === 1
          ? {
              "session/load": "LoadSessionRequest",
              "session/set_mode": "SetSessionModeRequest",
              authenticate: "AuthenticateRequest",
              logout: "LogoutRequest",
            }
          : {
              "auth/login": "LoginAuthRequest",
              "auth/logout": "LogoutAuthRequest",
              "tool_call/cancel": "CancelToolCallRequest",
            }),
      };
      const own = arbitraries(`v${client}`);
      const request = fc
        .constantFrom(...Object.keys(names))
        .chain((method) => own.valueOf(names[method] as string).map((params) => ({ method, params: params as Json })));
      await fc.assert(
        fc.asyncProperty(request, async ({ method, params }) => {
          expect(sender.params[method as never]).toBeDefined();
          const { clientEnd, agentEnd, toClient, toAgent } = await bridged(client);
          clientEnd.send({ jsonrpc: "2.0", id: 1, method, params } as Message);
          await turn();
          await agentEnd.close();
          const sent = toAgent.find((message) => "id" in message);
          if (sent === undefined) expect(toClient).toMatchObject([{ id: 1 }]);
          else
            expect(
              (receiver.params as Readonly<Record<string, (value: unknown) => unknown>>)[sent.method as string]?.(
                sent.params,
              ),
            ).toEqual([]);
        }),
        { numRuns: 200 },
      );
    });

    it("any valid results of the agent are valid for the client", async () => {
      const servers = client === 1 ? { mcpServers: [] } : {};
      const methods = [
        { method: "session/new", params: { cwd: "/", ...servers }, definition: "NewSessionResponse" },
        {
          method: client === 1 ? "session/load" : "session/resume",
          params:
            client === 1
              ? { sessionId: "s", cwd: "/", ...servers }
              : { sessionId: "s", cwd: "/", replayFrom: { type: "start" } },
          definition: client === 1 ? "ResumeSessionResponse" : "LoadSessionResponse",
        },
        { method: "session/list", params: {}, definition: "ListSessionsResponse" },
      ];
      const exchange = fc
        .constantFrom(...methods)
        .chain((request) => from.valueOf(request.definition).map((result) => ({ ...request, result })));
      await fc.assert(
        fc.asyncProperty(exchange, async ({ method, params, result }) => {
          const { clientEnd, agentEnd, toClient, toAgent } = await bridged(client);
          clientEnd.send({ jsonrpc: "2.0", id: 1, method, params });
          await turn();
          agentEnd.send({ jsonrpc: "2.0", id: (toAgent[0] as { id: number }).id, result });
          await turn();
          await agentEnd.close();
          const response = toClient.find(({ id }) => id === 1);
          expect(response).toHaveProperty("result");
          const { results, params: sent } = validators.agentValidators;
          expect((results as Validators)[method]?.(response?.result)).toEqual([]);
          for (const message of toClient.filter((each) => "method" in each))
            expect(sent["session/update"](message.params)).toEqual([]);
        }),
        { numRuns: 200 },
      );
    });

    it("any valid requests of the agent are valid for the client, and an answer is never more than the client gave", async () => {
      const permission = from.valueOf("RequestPermissionRequest") as fc.Arbitrary<Json>;
      const answers = fc.oneof(
        arbitraries(`v${client}`).valueOf("RequestPermissionResponse") as fc.Arbitrary<Json>,
        fc.jsonValue({ maxDepth: 2 }),
      );
      await fc.assert(
        fc.asyncProperty(permission, answers, async (params, answer) => {
          const { clientEnd, agentEnd, toClient, toAgent } = await bridged(client);
          agentEnd.send({ jsonrpc: "2.0", id: 1, method: "session/request_permission", params });
          await turn();
          const asked = toClient.find((message) => "id" in message);
          if (asked !== undefined) {
            expect(validators.agentValidators.params["session/request_permission"](asked.params)).toEqual([]);
            clientEnd.send({ jsonrpc: "2.0", id: asked.id as number, result: answer });
            await turn();
          }
          await agentEnd.close();
          expect(toAgent).toHaveLength(1);
          const { result } = toAgent[0] as { result?: { outcome: { outcome: string; optionId?: string } } };
          if (result?.outcome.outcome !== "selected") return;
          const options = ((asked as Json).params as { options: { optionId: string }[] }).options;
          expect(options.map(({ optionId }) => optionId)).toContain(result.outcome.optionId);
          expect(answer).toMatchObject({ outcome: { outcome: "selected", optionId: result.outcome.optionId } });
        }),
        { numRuns: 200 },
      );
    });
  },
);
