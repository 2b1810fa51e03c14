import { invalidParams, type RequestContext, type RpcError } from "@acp-kit/jsonrpc";
import { DecodeError } from "@acp-kit/types/decode";
import { type FileExtensionMethod, gateOfFileExtension } from "./file-extensions.js";
import type { StandardResult, StandardSchema } from "./standard-schema.js";

/**
 * The name of an extension method. It begins with an underscore, because the protocol reserves all other names. Two
 * names without an underscore are allowed, because some agents use them; see `fileExtensions`.
 */
export type ExtensionName = `_${string}` | FileExtensionMethod;

/** The handler of an extension method, ready to be registered. {@link extension} creates it. */
export interface Extension {
  readonly kind: "request" | "notification";
  readonly handle: (params: unknown, context: RequestContext | undefined) => unknown;
}

/** The handlers of extension methods by name, `{ "_vendor.com/method": extension(…) }`. */
export type Extensions = Readonly<Record<`_${string}`, Extension>>;

/**
 * Creates the handler of an extension request. `params` is a schema of any library that implements Standard Schema. If
 * the params of a request do not match it, the peer gets the error `-32602` with the issues.
 *
 * @see https://agentclientprotocol.com/protocol/v1/extensibility
 */
export function extension<Params>(
  params: StandardSchema<Params>,
  handler: (params: Params, context: RequestContext) => unknown,
): Extension {
  return {
    kind: "request",
    handle: (value, context) => readParams(params, value, (read) => handler(read, context as RequestContext)),
  };
}

/**
 * Creates the handler of an extension notification. If the params of a notification do not match the schema, the
 * notification is dropped and reported as a diagnostic.
 */
export function extensionNotification<Params>(
  params: StandardSchema<Params>,
  handler: (params: Params) => unknown,
): Extension {
  return { kind: "notification", handle: (value) => readParams(params, value, handler) };
}

/** Throws a `TypeError` if the name of a method is reserved for the protocol. */
export function assertExtensionName(method: string): asserts method is ExtensionName {
  if (!method.startsWith("_") && gateOfFileExtension(method) === undefined) {
    throw new TypeError(`"${method}" is not an extension method: the name must start with an underscore`);
  }
}

/**
 * Reads params with a Standard Schema, synchronously if the schema is synchronous. Throws the error `-32602` if the
 * params do not match the schema.
 */
function readParams<Params, Result>(
  schema: StandardSchema<Params>,
  value: unknown,
  use: (params: Params) => Result | PromiseLike<Result>,
): Result | PromiseLike<Result> {
  const result = schema["~standard"].validate(value);
  if (result instanceof Promise) return result.then((settled) => use(unwrap(settled, refuseParams)));
  return use(unwrap(result, refuseParams));
}

/**
 * Decodes a result with a Standard Schema, synchronously if the schema is synchronous. Throws a {@link DecodeError} if
 * the result does not match the schema.
 */
export function readResult<Result>(schema: StandardSchema<Result>, value: unknown): Result | PromiseLike<Result> {
  const result = schema["~standard"].validate(value);
  if (result instanceof Promise) return result.then((settled) => unwrap(settled, refuseResult));
  return unwrap(result, refuseResult);
}

interface JsonIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

function unwrap<Value>(result: StandardResult<Value>, refuse: (issues: readonly JsonIssue[]) => Error): Value {
  if (result.issues === undefined) return result.value;
  throw refuse(result.issues.map(({ message, path }) => ({ message, path: (path ?? []).map(keyOf) })));
}

function refuseParams(issues: readonly JsonIssue[]): RpcError {
  const [first] = issues;
  const text = [...(first?.path ?? []), first?.message ?? "invalid"].join(": ");
  return invalidParams(`Invalid params: ${text}`, { issues });
}

function refuseResult(issues: readonly JsonIssue[]): DecodeError {
  return new DecodeError(issues);
}

function keyOf(segment: PropertyKey | { readonly key: PropertyKey }): string | number {
  const key = typeof segment === "object" ? segment.key : segment;
  return typeof key === "symbol" ? key.toString() : key;
}
