/**
 * The result of a method that sends an update. The result is `undefined` or, while the client reads slowly, a promise
 * that resolves when the client has caught up. Await the result to send no faster than the client reads.
 */
export type Sent = Promise<void> | undefined;
