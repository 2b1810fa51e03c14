import { describe, expect, it } from "vitest";
import { Connection } from "./connection.js";
import { linkedTransports } from "./linked-transports.js";
import { errorObject, RpcError, rpcErrorFrom } from "./rpc-error.js";

describe("the cause of an error response", () => {
  it.each([true, false])(
    "is the error that the handler threw, over linked transports (serialize: %s)",
    async (serialize) => {
      const [ours, theirs] = linkedTransports({ serialize });
      const seen: unknown[] = [];
      const failure = new Error("the database is down");
      const server = new Connection(theirs, { tap: ({ message }) => seen.push(message) });
      server.onRequest("save", () => {
        throw failure;
      });
      server.onRequest("load", () => {
        throw new RpcError(-32_002, "Not found", { cause: failure });
      });
      server.listen();
      const client = new Connection(ours);
      client.listen();
      await expect(client.request("save", {})).rejects.toMatchObject({ message: "Internal error", cause: failure });
      await expect(client.request("load", {})).rejects.toMatchObject({ code: -32_002, cause: failure });
      expect(JSON.stringify(seen)).not.toContain("database");
      await client.close();
    },
  );

  it("is no part of the message, and lost with a copy as text", () => {
    const sent = errorObject(new RpcError(-32_603, "Internal error", { cause: new Error("secret") }));
    expect(sent).toEqual({ code: -32_603, message: "Internal error" });
    expect(rpcErrorFrom(sent).cause).toEqual(new Error("secret"));
    expect(rpcErrorFrom(JSON.parse(JSON.stringify(sent))).cause).toBeUndefined();
  });

  it("is not what a peer writes into its error", () => {
    expect(rpcErrorFrom({ code: 1, message: "no", cause: "mine" }).cause).toBeUndefined();
  });
});
