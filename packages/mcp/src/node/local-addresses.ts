import { randomBytes, timingSafeEqual } from "node:crypto";
import type { JsonObject } from "@acp-kit/jsonrpc/internal";
import type { BridgeAddresses } from "../bridge-addresses.js";
import { BothEras } from "../eras.js";
import type { ServedServer } from "../served-server.js";
import type { ServerAddress } from "../session-servers.js";
import { HttpListener } from "./http-listener.js";
import type { LocalServer } from "./local-server.js";
import { SocketListener, shimCode } from "./socket-listener.js";

/** Programs that start an agent on another machine, in a container or in another system. */
const startsElsewhere =
  /(?:^|[\\/])(?:ssh|mosh|docker|podman|nerdctl|kubectl|wsl|lxc|limactl|devcontainer|distrobox|vagrant)(?:\.exe)?$/i;

/** Opens addresses on the loopback interface, and sockets for programs that agents start. */
export class LocalAddresses implements BridgeAddresses {
  readonly #servers = new Map<string, LocalServer>();
  #http: Promise<HttpListener> | undefined;
  #socket: Promise<SocketListener> | undefined;

  reaches(command: string | undefined): boolean {
    return command !== undefined && !startsElsewhere.test(command);
  }

  async open(server: ServedServer, way: "http" | "stdio"): Promise<ServerAddress> {
    const path = randomBytes(16).toString("base64url");
    const token = randomBytes(32).toString("base64url");
    const secret = Buffer.from(token);
    const controller = new AbortController();
    this.#servers.set(path, {
      eras: new BothEras(server),
      closed: controller.signal,
      isToken: (given) => {
        const bytes = Buffer.from(given);
        return bytes.length === secret.length && timingSafeEqual(bytes, secret);
      },
    });
    const close = (): void => {
      this.#servers.delete(path);
      controller.abort(new Error("The session was closed"));
      if (this.#servers.size === 0) this.#stop();
    };
    try {
      return {
        entry:
          way === "http"
            ? await this.#httpEntry(server.name, path, token)
            : await this.#stdioEntry(server.name, path, token),
        close,
      };
    } catch (error) {
      close();
      throw error;
    }
  }

  async #httpEntry(name: string, path: string, token: string): Promise<JsonObject> {
    this.#http ??= HttpListener.open(this.#servers);
    const { port } = await this.#http;
    const headers = [{ name: "Authorization", value: `Bearer ${token}` }];
    return { type: "http", name, url: `http://127.0.0.1:${port}/${path}`, headers };
  }

  async #stdioEntry(name: string, path: string, token: string): Promise<JsonObject> {
    this.#socket ??= SocketListener.open(this.#servers);
    const { address } = await this.#socket;
    const env = [
      { name: "ACP_KIT_MCP_SOCKET", value: address },
      { name: "ACP_KIT_MCP_TOKEN", value: `${path}.${token}` },
    ];
    if ("electron" in process.versions) env.push({ name: "ELECTRON_RUN_AS_NODE", value: "1" });
    return { name, command: process.execPath, args: ["-e", shimCode], env };
  }

  #stop(): void {
    for (const listener of [this.#http, this.#socket]) listener?.then((each) => each.close()).catch(() => {});
    this.#http = undefined;
    this.#socket = undefined;
  }
}
