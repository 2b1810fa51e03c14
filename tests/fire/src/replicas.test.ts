import { buildCommandLine } from "@acp-kit/interop-tests/build-command-line";
import type { TestServer } from "@acp-kit/servers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { allProfiles } from "./client.js";
import { isFire, isFull, type Load, loadOf, noLosses, sumOf, times } from "./counts.js";
import { print, quantiles, residentMiB } from "./fire-report.js";
import { type LoadedClient, loadedClient, secondOwners } from "./replica-load.js";
import { failOver, LEASE_MS, type Replica, sharedEngines, startReplicas } from "./replicas.js";
import { noProcessesOf, runTwice, type ServerHome, serverHome } from "./served.js";

/** The pauses leave the processors to the tests that run beside this one while sessions wait for the end of a lease. */
const few: Load = { sessions: 4, updates: 60, pauseMs: 5 };
/** As many updates as the servers' two cores can carry while they also recover from faults. */
const many: Load = { sessions: 200, updates: 30, pauseMs: 100 };
const load = loadOf(few, many);
/** The time by which a standby is behind, in milliseconds. */
const LAG_MS = 500;

if (!isFire) console.log("Not run: failovers to a standby that lags behind, because ACP_KIT_FIRE is not set.");

for (const engine of sharedEngines) {
  describe.skipIf(!engine.isThere)(`three servers on ${engine.name} (needs the program)`, () => {
    let place: ServerHome;
    let server: TestServer;
    let replicas: Replica[];
    const clients: LoadedClient[] = [];
    /** From the kill of a server to the end of an interrupted turn on another one, in milliseconds. */
    const takeovers: number[] = [];
    let mostMiB = 0;
    beforeAll(async () => {
      place = await serverHome();
      server = await engine.start();
      replicas = await startReplicas(place, await buildCommandLine(), server, { count: 3, load });
      while (clients.length < load.sessions)
        for (const profile of allProfiles) clients.push(await loadedClient(place, profile, replicas, load));
      for (const client of clients) client.start();
    }, 600_000);
    afterAll(async () => {
      if (errorsOf(clients).length > 0) for (const { server } of replicas) print(warningsOf(server.err()));
      for (const { path } of replicas) await path.close();
      await server.stop();
      place.remove();
    });

    const oneOf = (): Replica => replicas[Math.floor(Math.random() * replicas.length)] as Replica;
    /** Resolves when every client has completed another turn, so that the cluster works again. */
    const settled = async (): Promise<void> => {
      const before = clients.map(({ whole }) => whole);
      while (clients.some(({ whole, errors }, i) => whole <= (before[i] ?? 0) && errors.length === 0)) await pause(20);
      expect(errorsOf(clients)).toEqual([]);
    };
    /** Repeats a fault and its repair. Prints the state after each round. */
    const rounds = async (name: string, count: number, fault: (round: number) => Promise<void>): Promise<void> => {
      for (let round = 1; round <= count; round++) {
        const from = performance.now();
        await fault(round);
        await settled();
        const memory = replicas.map((replica) => residentMiB(replica.server.child.pid));
        mostMiB = Math.max(mostMiB, ...memory);
        const took = `${((performance.now() - from) / 1_000).toFixed(1)} s`;
        const state = `losses ${JSON.stringify(sumOf(clients.flatMap(({ losses }) => losses)))}, servers ${memory.join(" ")} MiB`;
        print(`${engine.name}: ${name} ${round} of ${count}, ${took}, ${state}, engine ${engineMiB()} MiB`);
      }
    };
    const engineMiB = (): number => residentMiB(server.process.child.pid);
    const leave = (replica: Replica): void => {
      for (const { proxy } of clients) proxy.leave(replica.port);
    };

    it("another server takes over the sessions of a killed one", { timeout: 7_200_000 }, () =>
      rounds("server killed", times(1, 100), async () => {
        await settled();
        const replica = oneOf();
        const at = performance.now();
        await replica.server.end("SIGKILL");
        await settled();
        const interrupted = clients.flatMap(({ interruptedAt }) => interruptedAt.filter((time) => time >= at));
        takeovers.push(...interrupted.map((time) => time - at));
        await replica.start();
      }),
    );

    it(
      "a server that is paused for longer than its lease writes no entry after the pause",
      { timeout: 7_200_000 },
      () =>
        rounds("server paused", times(1, 50), async () => {
          const replica = oneOf();
          replica.server.child.kill("SIGSTOP");
          await pause(LEASE_MS * 0.75);
          leave(replica); // as a load balancer that detects the pause
          await settled();
          replica.server.child.kill("SIGCONT");
        }),
    );

    it(
      "a server that can't reach the engine for longer than its lease writes no entry afterwards",
      {
        timeout: 7_200_000,
      },
      () =>
        rounds("server cut off", times(1, 10), async () => {
          const replica = oneOf();
          replica.path.cut();
          await pause(LEASE_MS * 0.75);
          leave(replica); // as an operator takes the server out of the load balancer
          await settled();
          replica.path.mend();
        }),
    );

    it("an engine server that is killed and started again keeps every entry", { timeout: 7_200_000 }, () =>
      rounds("engine killed", times(1, 20), async () => {
        await settled();
        await server.kill();
        await pause(500);
        await server.restart();
      }),
    );

    it("a frozen engine server only delays turns", { timeout: 7_200_000 }, () =>
      rounds("engine frozen", times(1, 10), async () => {
        server.freeze();
        await pause(isFull ? 7_000 : 2_500);
        server.thaw();
      }),
    );

    // On a busy machine, the standby takes longer than a lease, and another replica can own a session before its old
    // owner appends the lost entries.
    it.runIf(isFire)("a failover to a standby that lags behind costs no entry", { timeout: 7_200_000 }, () =>
      rounds("engine failed over", times(1, 5), async (round) => {
        await settled();
        server = await failOver(server, replicas, { name: `standby${round}`, lagMs: LAG_MS });
      }),
    );

    it("a rolling restart causes no error at a client and interrupts no turn", { timeout: 7_200_000 }, () =>
      rounds("rolling restart", times(1, 5), async () => {
        for (const replica of replicas) {
          const before = clients.map(({ interruptedAt }) => interruptedAt.length);
          expect(await replica.server.end("SIGTERM")).toBe(0);
          await replica.start();
          await settled();
          expect(clients.map(({ interruptedAt }) => interruptedAt.length)).toEqual(before);
        }
      }),
    );

    it("fire.replicas: after all of these faults, no client lost an update, no prompt ran twice, and no session had two owners", {
      timeout: 600_000,
    }, async () => {
      await Promise.all(clients.map((client) => client.finish()));
      expect(errorsOf(clients)).toEqual([]);
      const losses = sumOf(clients.flatMap((client) => client.losses));
      const opened = await engine.open(server.url);
      let [owners, incomplete] = [0, 0];
      for (const client of clients) {
        const { live, loaded } = await client.texts();
        if (loaded !== live) incomplete += 1;
        owners += await secondOwners(opened, client.sessionId);
      }
      await opened.close();
      await Promise.all(clients.map((client) => client.close()));
      for (const replica of replicas) expect(await replica.server.end()).toBe(0);
      await noProcessesOf(place.home);
      const found = { ...losses, incomplete, owners, runTwice: runTwice(place.store) };
      const turns = clients.reduce((sum, client) => sum + client.losses.length, 0);
      const memory = `at most ${mostMiB} MiB in a server, ${engineMiB()} MiB in the engine`;
      print(`${engine.name}: ${turns} turns, ${JSON.stringify(found)}, takeover ${quantiles(takeovers)}, ${memory}`);
      expect(found).toEqual({ ...noLosses, incomplete: 0, owners: 0, runTwice: 0 });
    });
  });
}

/** The errors of all clients, with the number of clients that had each. */
function errorsOf(clients: readonly LoadedClient[]): string[] {
  const texts = clients.flatMap(({ errors }) => errors).map(String);
  return [...new Set(texts)].map((text) => `${text} (${texts.filter((other) => other === text).length} times)`);
}

/** The last warnings in a server's log, for the reason of an error. */
function warningsOf(log: string): string {
  const lines = log.split("\n").filter((line) => /^(warning|error):/.test(line));
  return lines.slice(-30).join("\n");
}

/** Waits in real time, because processes and leases have no clock that a test controls. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
