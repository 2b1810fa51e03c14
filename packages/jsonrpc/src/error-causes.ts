import type { ErrorObject } from "./message.js";

/**
 * The causes of errors that the handlers of this process threw. A cause is never part of a message, so it can't reach
 * another process. {@link linkedTransports} passes it on, so that a test sees why its agent failed.
 */
const causes = new WeakMap<object, unknown>();

/** Keeps the cause of an error beside its message. */
export function keepCause(error: ErrorObject, cause: unknown): void {
  if (cause !== undefined) causes.set(error, cause);
}

/** Keeps the cause of an error response beside its copy, too. */
export function passCause(message: object, copy: object): void {
  const { error } = message as { readonly error?: object };
  const { error: copied } = copy as { readonly error?: unknown };
  if (error === undefined || typeof copied !== "object" || copied === null) return;
  keepCause(copied as ErrorObject, causeOf(error));
}

/** Returns the cause of the error of a response that another side in this process sent, or `undefined`. */
export function causeOf(error: object): unknown {
  return causes.get(error);
}
