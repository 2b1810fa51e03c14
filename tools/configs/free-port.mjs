import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/**
 * The ports below those that systems give to `listen(0)` and to outgoing connections. So between the choice of a port
 * and its use, and while a server restarts, no other program gets the port by chance.
 */
const [FIRST, END] = [10_000, 32_000];

/** Returns a random port of the loopback interface that is free now. Two processes hardly ever get the same one. */
export async function freePort() {
  for (;;) {
    const port = randomInt(FIRST, END);
    if (await isFree(port)) return port;
  }
}

async function isFree(port) {
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch {
    return false;
  }
  server.close();
  await once(server, "close");
  return true;
}

/** Starts a program on a free port, and on another one if the port was taken meanwhile. */
export async function onFreePort(start) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await start(await freePort());
    } catch (error) {
      if (attempt === 5 || !/address (is )?already in use|EADDRINUSE/i.test(String(error))) throw error;
    }
  }
}
