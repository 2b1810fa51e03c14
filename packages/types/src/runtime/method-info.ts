/** The facts about one method, in addition to its types. */
export interface MethodInfo {
  /** The method's name in code, such as `newSession` for `session/new`. */
  readonly name: string;
  /** The name of the schema definition of the method's params. */
  readonly params: string;
  /** The name of the schema definition of the method's result; absent for notifications. */
  readonly result?: string;
  /**
   * The capabilities of which the peer must advertise at least one. Each is the role that advertises it, then the path
   * inside its capabilities: `agent.sessionCapabilities.list`. The list is absent if the method needs no capability.
   */
  readonly capability?: readonly string[];
  /** Other preconditions of the method, in words. */
  readonly condition?: string;
  /** The stability of the method. `unstable`: it exists only in the unstable schema of this version. */
  readonly stability: "stable" | "unstable";
}

/** The methods of a role, and the facts about each method. */
export type MethodTable<Calls> = { readonly [Method in keyof Calls]: MethodInfo };

/** The capabilities that methods need, by method name. A method without an entry needs no capability. */
export type MethodGates = Readonly<Record<string, Pick<MethodInfo, "capability">>>;

/** A function that handles one method. The handler of a notification returns nothing. */
export type Handler<Params, Result, Context = unknown> = (
  params: Params,
  context: Context,
) => Result | PromiseLike<Result>;
