import { isRpcError, type RpcError } from "@acp-kit/protocol";
import type { AgentLink } from "../agent-link.js";
import { AuthRequiredError, isAuthRequired } from "./auth-required-error.js";
import {
  type EnvVarLogin,
  type LoginMethod,
  loginMethods,
  type TerminalLogin,
  type UnknownLogin,
} from "./login-method.js";

type Result<Value> = Value | PromiseLike<Value>;

/** What a login needs of the application: this package knows neither people nor terminals nor environments. */
export interface LoginHandlers {
  /**
   * Lets the user choose one of the ways that can be gone here. Nothing: the user doesn't want to, and the call that needed the login rejects
   * with `AuthRequiredError`.
   */
  choose(methods: readonly LoginMethod[]): Result<LoginMethod | undefined>;
  /**
   * Runs the agent's command, from your own configuration, in a terminal, with the method's `args` appended and its `env` set. Resolves with
   * whether it exited with 0. That it is there is advertised: leave it out where no terminal can be shown, or the agent runs elsewhere.
   */
  terminal?(method: TerminalLogin): Result<boolean>;
  /** Asks for the values, and sees to it that the agent is started with them the next time. Resolves with whether it is. */
  environment?(method: EnvVarLogin): Result<boolean>;
  /** A kind of the agent's own. Resolves with whether it is done. */
  unknown?(method: UnknownLogin): Result<boolean>;
}

/** Logs in, and runs what needed it again. */
export class Login {
  readonly #link: AgentLink;
  readonly #handlers: LoginHandlers | undefined;
  #running: Promise<boolean> | undefined;
  /** How many logins there have been. */
  #count = 0;

  constructor(link: AgentLink, handlers: LoginHandlers | undefined) {
    this.#link = link;
    this.#handlers = handlers;
  }

  get methods(): readonly LoginMethod[] {
    return loginMethods(this.#link.current.response.authMethods ?? []);
  }

  /** Runs something. Where it needs a login: logs in, one login for all who need one, and runs it once more. */
  around<Result>(run: () => Promise<Result>): Promise<Result> {
    const count = this.#count;
    return run().catch((error: unknown) => {
      if (!isAuthRequired(error)) throw error;
      return this.#again(run, this.#required(error), count);
    });
  }

  /** `count`: how many logins there were before it was run. */
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

  /** Lets the user choose and logs in. `false` when nobody wants to, or can. */
  ask(): Promise<boolean> {
    this.#running ??= this.#ask().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Logs in one way. `false` when the user gave up. Rejects with what the agent says against it. */
  async by(method: LoginMethod): Promise<boolean> {
    const { terminal, environment, unknown } = this.#handlers ?? {};
    const need = (handler: keyof LoginHandlers): never => {
      throw new TypeError(
        `To log in by "${method.id}", which is of the kind ${method.kind}, connect with login.${handler}`,
      );
    };
    let done = true;
    switch (method.kind) {
      case "agent":
        await this.#authenticate(method.id);
        break;
      case "terminal":
        done = await (terminal ?? need("terminal")).call(this.#handlers, method);
        if (done) await this.#link.restart(); // it looks for its login when it starts
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

  /** Some agents want to be told which key to use, others have no word for it. */
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
