/** Counts what crosses the wire. */
export class Traffic {
  readonly messages = { sent: 0, received: 0 };
  readonly bytes = { sent: 0, received: 0 };
  /** Methods of requests and notifications, both ways. */
  readonly methods = new Map<string, number>();

  count({ direction, size, message }: { direction: "sent" | "received"; size: number; message: unknown }): void {
    this.messages[direction] += 1;
    this.bytes[direction] += size;
    const { method } = message as { readonly method?: unknown };
    if (typeof method === "string") this.methods.set(method, (this.methods.get(method) ?? 0) + 1);
  }
}
