import type { TestServer } from "@acp-kit/servers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Profile } from "./client.js";
import { noLosses, sumOf, times } from "./counts.js";
import { buildCommandLine } from "./program.js";
import { type LoadedClient, loadedClient, percentile, secondOwners } from "./replica-load.js";
import { LEASE_MS, type Replica, sharedEngines, startReplicas } from "./replicas.js";
import { noProcessesOf, runTwice, type ServerHome, serverHome } from "./served.js";

const sessions = times(4, 200);
const updates = times(400, 5_000);
const takeovers: number[] = [];

for (const engine of sharedEngines) {
  describe.skipIf(!engine.isThere)(`three servers on ${engine.name} (needs the program)`, () => {
    let place: ServerHome;
    let server: TestServer;
    let replicas: Replica[];
    const clients: LoadedClient[] = [];
    beforeAll(async () => {
      place = await serverHome();
      server = await engine.start();
      replicas = await startReplicas(place, await buildCommandLine(), server.url, 3);
      for (let i = 0; i < sessions; i++) {
        const profile: Profile = i % 2 === 0 ? "ws" : "http";
        clients.push(await loadedClient(place, profile, replicas, updates));
      }
    }, 600_000);
    afterAll(async () => {
      await server.stop();
      place.remove();
    });

    const oneOf = (): Replica => replicas[Math.floor(Math.random() * replicas.length)] as Replica;
    /** Resolves when every client has ended one more turn: what was broken works again. */
    const settled = async (): Promise<void> => {
      const before = clients.map(({ whole }) => whole);
      while (clients.some(({ whole, errors }, i) => whole <= (before[i] ?? 0) && errors.length === 0)) await pause(20);
      expect(clients.flatMap(({ errors }) => errors)).toEqual([]);
    };
    const leave = (replica: Replica): void => {
      for (const { proxy } of clients) proxy.leave(replica.port);
    };

    it("a server that is killed is replaced", { timeout: 3_600_000 }, async () => {
      for (let i = 0; i < times(1, 100); i++) {
        await settled();
        const replica = oneOf();
        const at = performance.now();
        await replica.server.end("SIGKILL");
        await settled();
        takeovers.push(
          ...clients
            .flatMap(({ interruptedAt }) => interruptedAt.filter((time) => time >= at))
            .map((time) => time - at),
        );
        await replica.start();
      }
    });

    it("a server that sleeps longer than its lease writes nothing when it wakes up", {
      timeout: 3_600_000,
    }, async () => {
      for (let i = 0; i < times(1, 50); i++) {
        const replica = oneOf();
        replica.server.child.kill("SIGSTOP");
        await pause(LEASE_MS * 0.75);
        leave(replica); // a load balancer notices
        await settled();
        replica.server.child.kill("SIGCONT");
        await settled();
      }
    });

    it("an engine that is killed and started again keeps everything", { timeout: 3_600_000 }, async () => {
      for (let i = 0; i < times(1, 20); i++) {
        await settled();
        await server.kill();
        await pause(500);
        await server.restart();
        await settled();
      }
    });

    it("an engine that is frozen holds everything up, and nothing else", { timeout: 3_600_000 }, async () => {
      for (let i = 0; i < times(1, 10); i++) {
        server.freeze();
        await pause(times(2_500, 7_000));
        server.thaw();
        await settled();
      }
    });

    it("a rolling restart shows no client an error, and interrupts no turn", { timeout: 3_600_000 }, async () => {
      for (let i = 0; i < times(1, 5); i++)
        for (const replica of replicas) {
          const before = clients.map(({ interruptedAt }) => interruptedAt.length);
          expect(await replica.server.end("SIGTERM")).toBe(0);
          await replica.start();
          await settled();
          expect(clients.map(({ interruptedAt }) => interruptedAt.length)).toEqual(before);
        }
    });

    it("fire.replicas: in the end, no client lost an update, no prompt ran twice, no session had two owners", {
      timeout: 600_000,
    }, async () => {
      await Promise.all(clients.map((client) => client.finish()));
      expect(clients.flatMap(({ errors }) => errors)).toEqual([]);
      expect(sumOf(clients.flatMap(({ losses }) => losses))).toEqual(noLosses);
      const opened = await engine.open(server.url);
      for (const client of clients) {
        const { live, loaded } = await client.texts();
        expect(loaded === live, `session ${client.sessionId}: ${live.length} and ${loaded.length} characters`).toBe(
          true,
        );
        expect(await secondOwners(opened, client.sessionId)).toBe(0);
      }
      await opened.close();
      await Promise.all(clients.map((client) => client.close()));
      for (const replica of replicas) expect(await replica.server.end()).toBe(0);
      await noProcessesOf(place.home);
      expect(runTwice(place.store)).toBe(0);
      const turns = clients.reduce((sum, { losses }) => sum + losses.length, 0);
      report(engine.name, turns);
    });
  });
}

function report(name: string, turns: number): void {
  if (process.env.ACP_KIT_FIRE !== "full") return;
  const [half, most] = [percentile(takeovers, 0.5), percentile(takeovers, 0.99)];
  process.stdout.write(
    `${name}: ${turns} turns, takeover p50 ${half} ms, p99 ${most} ms (${takeovers.splice(0).length})\n`,
  );
}

/** Real processes and real leases: there is no clock to own. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
