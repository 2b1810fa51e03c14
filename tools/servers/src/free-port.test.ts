import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { onFreePort } from "@acp-kit/configs/free-port";
import { expect, it } from "vitest";

async function listen(port: number): Promise<Server> {
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  return server;
}

it("a program whose port was taken by another one meanwhile is started on a third port", async () => {
  const taken: Server[] = [];
  const started = await onFreePort(async (port) => {
    if (taken.length < 2) taken.push(await listen(port));
    return { port, server: await listen(port) };
  });
  expect(taken).toHaveLength(2);
  expect(started.server.address()).toMatchObject({ port: started.port });
  for (const server of [started.server, ...taken]) server.close();
});

it("a program that fails for another reason is not started again", async () => {
  let starts = 0;
  const started = onFreePort(async () => {
    starts += 1;
    throw new Error("no disk");
  });
  await expect(started).rejects.toThrow("no disk");
  expect(starts).toBe(1);
});
