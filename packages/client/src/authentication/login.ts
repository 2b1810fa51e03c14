import { isRpcError, type RpcError } from "@acp-kit/protocol";
import type { AgentLink } from "../agent-link.js";
import { AuthRequiredError, isAuthRequired } from "./auth-required-error.js";
import type { LoginHandlers } from "./login-handlers.js";
import { type LoginMethod, loginMethods } from "./login-method.js";

/** Logs in, and repeats the calls that needed the login. */
export class Login {
  readonly #link: AgentLink;
  readonly #handlers: LoginHandlers | undefined;
  #running: Promise<boolean> | undefined;
  #count = 0;

  constructor(link: AgentLink, handlers: LoginHandlers | undefined) {
    this.#link = link;
    this.#handlers = handlers;
  }

  get methods(): readonly LoginMethod[] {
    return loginMethods(this.#link.current.response.authMethods ?? []);
  }

  /**
   * Runs a call. If the agent requires a login, logs in, once for all concurrent calls, and runs the call again. If
   * `mayRepeat` returns `false`, the call rejects with `AuthRequiredError` instead.
   */
  run<Result>(run: () => Promise<Result>, mayRepeat: () => boolean = () => true): Promise<Result> {
    const count = this.#count;
    return run().catch((error: unknown) => {
      if (!isAuthRequired(error)) throw error;
      const required = this.#required(error);
      if (!mayRepeat()) throw required;
      return this.#again(run, required, count);
    });
  }

  /**
   * Logs in, unless another call has done so since `count` was read, and runs the call again. `count` is the number of
   * logins before the call.
   */
  async #again<Result>(run: () => Promise<Result>, required: AuthRequiredError, count: number): Promise<Result> {
    if (count === this.#count) {
      let done: boolean;
      try {
        done = await this.ask();
      } catch (cause) {
        throw new AuthRequiredError(required, required.methods, cause);
      }
      if (!done) throw required;
    }
    try {
      return await run();
    } catch (error) {
      throw isAuthRequired(error) ? this.#required(error) : error;
    }
  }

  /**
   * Lets the user choose a login method and logs in with it. Resolves with `false` if the user declines, or if there is
   * no handler for any of the methods.
   */
  ask(): Promise<boolean> {
    this.#running ??= this.#ask().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /**
   * Logs in with a given login method. Resolves with `false` when the user cancelled the login; rejects with the
   * agent's error.
   */
  async by(method: LoginMethod): Promise<boolean> {
    const { terminal, environment, unknown } = this.#handlers ?? {};
    const need = (handler: keyof LoginHandlers): never => {
      throw new TypeError(
        `The login method "${method.id}" is of the kind ${method.kind}: to use it, pass login.${handler} to connectAgent`,
      );
    };
    let done = true;
    switch (method.kind) {
      case "agent":
        await this.#authenticate(method.id);
        break;
      case "terminal":
        done = await (terminal ?? need("terminal")).call(this.#handlers, method);
        if (done) await this.#link.restart(); // the agent reads its login when it starts
        break;
      case "env_var":
        done = await (environment ?? need("environment")).call(this.#handlers, method);
        if (done) await this.#withVariables(method.id);
        break;
      case "unknown":
        done = await (unknown ?? need("unknown")).call(this.#handlers, method);
        break;
    }
    if (done) this.#count += 1;
    return done;
  }

  async #ask(): Promise<boolean> {
    const handlers = this.#handlers;
    const methods = this.methods.filter(({ kind }) => canDo(kind, handlers));
    if (handlers === undefined || methods.length === 0) return false;
    const method = await handlers.choose(methods);
    return method !== undefined && (await this.by(method));
  }

  /**
   * Restarts the agent and sends `authenticate`. Some agents need this request to choose the key that they use. Other
   * agents don't support `authenticate` for environment variables, so the errors `-32601` and `-32602` are ignored.
   */
  async #withVariables(methodId: string): Promise<void> {
    await this.#link.restart();
    try {
      await this.#authenticate(methodId);
    } catch (error) {
      if (!isRpcError(error) || (error.code !== -32601 && error.code !== -32602)) throw error;
    }
  }

  async #authenticate(methodId: string): Promise<void> {
    await this.#link.ready();
    await this.#link.current.peer.request("authenticate", { methodId });
  }

  #required(error: RpcError): AuthRequiredError {
    return new AuthRequiredError(error, this.methods);
  }
}

function canDo(kind: LoginMethod["kind"], handlers: LoginHandlers | undefined): boolean {
  if (kind === "agent") return true;
  if (kind === "env_var") return handlers?.environment !== undefined;
  return handlers?.[kind] !== undefined;
}
