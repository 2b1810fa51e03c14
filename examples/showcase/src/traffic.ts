/** Counts the messages and bytes of a connection. */
export class Traffic {
  readonly messages = { sent: 0, received: 0 };
  readonly bytes = { sent: 0, received: 0 };
  /** The methods of requests and notifications in both directions. */
  readonly methods = new Map<string, number>();

  count({ direction, size, message }: { direction: "sent" | "received"; size: number; message: unknown }): void {
    this.messages[direction] += 1;
    this.bytes[direction] += size;
    const { method } = message as { readonly method?: unknown };
    if (typeof method === "string") this.methods.set(method, (this.methods.get(method) ?? 0) + 1);
  }
}
