import type { GatewayServer } from "@acp-kit/gateway/node";
import { webSocketAgent } from "@acp-kit/http/node";
import { clientScript, noResponse, type ScriptedClient, type WireMessage } from "@acp-kit/testing";

/** A response as received. */
export type Answer = Pick<WireMessage, "result" | "error">;

/** Starts a scripted client that responds to no request for a permission. */
const silent = clientScript().on("session/request_permission", () => noResponse);

/** A scripted client over WebSocket, with the values of the gateway that an attack needs. */
export class RpcCaller {
  /** The id of this client on the server. */
  clientId = "";
  readonly #client: ScriptedClient;

  private constructor(client: ScriptedClient) {
    this.#client = client;
  }

  /** @param meta members of the `_meta` of `initialize`, without their prefix. */
  static async open(
    { webSocketUrl }: GatewayServer,
    token: string,
    meta: Record<string, unknown> = {},
  ): Promise<RpcCaller> {
    const agent = webSocketAgent(webSocketUrl, { token, reconnect: false });
    const caller = new RpcCaller(silent.connect(await agent.open()));
    const named = Object.fromEntries(Object.entries(meta).map(([name, value]) => [`acp-kit/${name}`, value]));
    const { result } = await caller.request("initialize", {
      protocolVersion: 1,
      clientCapabilities: { _meta: { "acp-kit/cursors": true } },
      ...(Object.keys(named).length > 0 && { _meta: named }),
    });
    caller.clientId = String(
      (result as { _meta?: Record<string, unknown> } | undefined)?._meta?.["acp-kit/client"] ?? "",
    );
    return caller;
  }

  /** Every received message, as JSON. */
  get received(): readonly string[] {
    return this.#client.receivedSoFar().map((message) => JSON.stringify(message));
  }

  /** The requests of the server. */
  get requests(): readonly WireMessage[] {
    return this.#client.receivedSoFar().filter(({ id, method }) => id !== undefined && method !== undefined);
  }

  /** The latest position that the server sent. */
  get cursor(): string {
    const cursors = this.received.flatMap((text) => /"acp-kit\/cursor":"([^"]+)"/.exec(text)?.[1] ?? []);
    return cursors.at(-1) ?? "";
  }

  /** Resolves with the response, also if the connection ends before it. */
  request(method: string, params: unknown): Promise<Answer> {
    const ended: Answer = { error: { code: 0, message: "the connection has ended" } };
    return this.#client.request(method, params).catch(() => ended);
  }

  notify(method: string, params: unknown): void {
    this.#client.notify(method, params);
  }

  send(message: unknown): void {
    this.#client.sendValue(message);
  }

  /** Resolves when the condition holds. It is checked after each message. */
  async until(isDone: () => boolean): Promise<void> {
    if (!isDone()) await this.#client.received(isDone);
  }

  close(): Promise<void> {
    return this.#client.close();
  }
}
