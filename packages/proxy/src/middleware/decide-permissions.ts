import type { DiagnosticListener } from "@acp-kit/jsonrpc/internal";
import { callQuietly } from "@acp-kit/jsonrpc/internal";
import { checkOptions, diagnosticReporter, type OptionKinds } from "@acp-kit/protocol/internal";
import type { IncomingRequestPermissionRequest, RequestPermissionOutcome } from "@acp-kit/types";
import { type AcpProxy, createProxy } from "../create-proxy.js";
import { refuse } from "../hop-error.js";
import type { ProxySession } from "../proxy-session.js";
import { v2 } from "../v2/index.js";
import { namesDifferInCase } from "./names-differ-in-case.js";
import { outcomeOf, type ProxyPermissionDecision, rejectedOutcome } from "./permission-outcome.js";
import { permissionToV1 } from "./permission-to-v1.js";
import { MIDDLEWARE_VERSION } from "./version.js";

export type { ProxyPermissionDecision };

/** The second argument of a permission rule in a proxy. Rules of `@acp-kit/client` need no other members. */
export interface ProxyPermissionContext {
  /** The session and its folders; `undefined` if the proxy did not see how the session was opened. */
  readonly session: { readonly sessionId: string; readonly roots: readonly string[] } | undefined;
  /** Aborts when the request is cancelled. */
  readonly signal: AbortSignal;
  readonly sessionSignal: AbortSignal;
  /** Runs the rules before this one again, and resolves with `true` if one of them decided. */
  reconsider(): Promise<boolean>;
}

// biome-ignore lint/suspicious/noConfusingVoidType: an async function without a return statement leaves the decision to the next rule
type RuleResult = ProxyPermissionDecision | { readonly decision: ProxyPermissionDecision } | null | void;

/** A function that decides a permission request. Its type also accepts the functions of `@acp-kit/client`. */
type Decide = {
  // A method, so that a rule for the richer context of a client fits, too
  decide(request: IncomingRequestPermissionRequest, context: ProxyPermissionContext): Promise<RuleResult>;
}["decide"];

/**
 * A rule that decides permission requests: a rule of `@acp-kit/client`, such as `allow` and `reject` create, or an
 * `async` function.
 */
export type ProxyPermissionRule = Decide | { readonly name: string; readonly decide: Decide };

/** Options of {@link decidePermissions}. */
export interface DecidePermissionsOptions {
  /** Receives each decision of a rule. Errors of the function are ignored. */
  readonly onDecision?: (decision: {
    readonly request: IncomingRequestPermissionRequest;
    readonly outcome: RequestPermissionOutcome;
    /** The name of the rule. */
    readonly rule: string;
  }) => void;
  /** Receives the diagnostics of the proxy, such as the error of a rule. */
  readonly onDiagnostic?: DiagnosticListener;
}

const optionKinds: OptionKinds<DecidePermissionsOptions> = { onDecision: "function", onDiagnostic: "function" };

/**
 * Creates an ACP proxy that decides the permission requests of agents by rules. The first rule that decides wins. If
 * none decides, the client gets the request, and its user decides.
 *
 * A decision chooses an option by its kind. It is never replaced by a stronger one: without an option of the kind,
 * "allow" is left to the next rule, and "reject" becomes the mildest rejection, or `cancelled` if the agent offers
 * none. A rule that throws rejects the request.
 *
 * @throws {InvalidOptionError} when an option is invalid.
 * @example
 * ```ts
 * withProxies(agent, [decidePermissions([reject({ touching: ["/work/.env"] }), allowReads({ within: "session" })])])
 * ```
 */
export function decidePermissions(
  rules: readonly ProxyPermissionRule[],
  options: DecidePermissionsOptions = {},
): AcpProxy {
  checkOptions("decidePermissions", options, optionKinds);
  const named = rules.map((rule) => (typeof rule === "function" ? { name: rule.name || "rule", decide: rule } : rule));
  const report = diagnosticReporter(options.onDiagnostic);
  /** Returns the outcome of a request, or `undefined` if no rule decides. */
  const decide = async (
    { params, session, signal }: ReceivedRequest,
    request: IncomingRequestPermissionRequest,
  ): Promise<RequestPermissionOutcome | undefined> => {
    if (namesDifferInCase(params)) refuse("The request has members whose names differ only in case.");
    const decider = new Decider(request, sessionOf(session), signal, named, (rule, cause) =>
      report({ code: "handler_failed", message: `The permission rule "${rule}" failed`, cause }),
    );
    const decision = await decider.run(named.length);
    if (decision !== undefined) callQuietly(() => options.onDecision?.({ request, ...decision }));
    return decision?.outcome;
  };
  return createProxy({
    info: { name: "decidePermissions", version: MIDDLEWARE_VERSION },
    ...(options.onDiagnostic !== undefined && { onDiagnostic: options.onDiagnostic }),
    fromAgent: {
      "session/request_permission": {
        order: "free", // a rule may ask a person
        intercept: async (message, next) => {
          const outcome = await decide(message, message.params);
          return outcome === undefined ? await next() : { outcome };
        },
      },
    },
    versions: [
      v2({
        fromAgent: {
          "session/request_permission": {
            order: "free",
            intercept: async (message, next) => {
              const outcome = await decide(message, permissionToV1(message.params));
              return outcome === undefined ? await next() : { outcome };
            },
          },
        },
      }),
    ],
  });
}

/** A permission request of either version, as the proxy received it. */
interface ReceivedRequest {
  readonly params: unknown;
  readonly session: ProxySession;
  readonly signal: AbortSignal;
}

function sessionOf({ id, cwd, additionalDirectories }: ProxySession): ProxyPermissionContext["session"] {
  return cwd === undefined ? undefined : { sessionId: id, roots: [cwd, ...additionalDirectories] };
}

interface Decision {
  readonly outcome: RequestPermissionOutcome;
  readonly rule: string;
}

/** Runs the rules for one request. */
class Decider {
  readonly #request: IncomingRequestPermissionRequest;
  readonly #session: ProxyPermissionContext["session"];
  readonly #signal: AbortSignal;
  readonly #rules: readonly { readonly name: string; readonly decide: Decide }[];
  readonly #failed: (rule: string, cause: unknown) => void;
  #decision: Decision | undefined;

  constructor(
    request: IncomingRequestPermissionRequest,
    session: ProxyPermissionContext["session"],
    signal: AbortSignal,
    rules: readonly { readonly name: string; readonly decide: Decide }[],
    failed: (rule: string, cause: unknown) => void,
  ) {
    this.#request = request;
    this.#session = session;
    this.#signal = signal;
    this.#rules = rules;
    this.#failed = failed;
  }

  /** Runs the first `count` rules until one decides. */
  async run(count: number): Promise<Decision | undefined> {
    const { options } = this.#request;
    for (const [index, { name, decide }] of this.#rules.slice(0, count).entries()) {
      try {
        const result = await decide(this.#request, {
          session: this.#session,
          signal: this.#signal,
          sessionSignal: this.#signal,
          reconsider: async () => (await this.run(index)) !== undefined,
        });
        if (this.#decision !== undefined) return this.#decision;
        const decision =
          typeof result === "object" && result !== null && "decision" in result ? result.decision : result;
        if (decision == null) continue;
        this.#decision = { outcome: outcomeOf(decision, options) ?? rejectedOutcome(options), rule: name };
      } catch (cause) {
        this.#failed(name, cause);
        // A later rule must not allow what this rule might have rejected.
        this.#decision ??= { outcome: rejectedOutcome(options), rule: name };
      }
      return this.#decision;
    }
    return undefined;
  }
}
