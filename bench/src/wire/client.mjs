// One client process: `node client.mjs <side> <task as JSON>` plays the task and prints what it measured as JSON.
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { peak, promptOf } from "./jobs.mjs";

const [side, taskText] = process.argv.slice(2);
const task = JSON.parse(taskText);
const { connect } = await import(`./client.${side}.mjs`);
const agentArgs = [fileURLToPath(new URL(`./agent.${side}.mjs`, import.meta.url))];

const tasks = {
  /** Updates of one turn, or of several sessions at once, to a handler that counts them. */
  async updates({ job, sessions = 1, warmUp = Math.ceil(job.count / 2), lean = false }) {
    let delivered = 0;
    const client = await connect(
      agentArgs,
      () => {
        delivered++;
      },
      { lean },
    );
    const opened = await Promise.all(Array.from({ length: sessions }, () => client.open()));
    const each = { ...job, count: Math.ceil(job.count / sessions) };
    for (const session of opened)
      await session.prompt(promptOf({ ...each, count: Math.ceil(warmUp / sessions), burst: false }));
    delivered = 0;
    const before = peak();
    const cpuBefore = process.cpuUsage();
    const started = performance.now();
    const responses = await Promise.all(opened.map((session) => session.prompt(promptOf(each))));
    const expected = each.count * sessions;
    // A client that doesn't wait for its handlers answers before they have run.
    while (delivered < expected) await sleep(1);
    const ms = performance.now() - started;
    const { user, system } = process.cpuUsage(cpuBefore);
    const agentGrown = Math.max(...responses.map(({ _meta }) => _meta.grown));
    await client.close();
    return { ms, count: expected, delivered, cpuUs: (user + system) / expected, grown: peak() - before, agentGrown };
  },

  /** The same with a handler that is stuck for each update until a moment comes: how much waits in memory. */
  async stall({ job, stallMs }) {
    let delivered = 0;
    let running = 0;
    let atOnce = 0;
    let open = () => {};
    const gate = new Promise((resolve) => {
      open = resolve;
    });
    const client = await connect(agentArgs, async () => {
      atOnce = Math.max(atOnce, ++running);
      await gate;
      running--;
      delivered++;
    });
    const session = await client.open();
    const before = peak();
    const response = session.prompt(promptOf(job));
    await sleep(stallMs);
    const grown = peak() - before;
    open();
    const { _meta } = await response;
    while (delivered < job.count) await sleep(1);
    await client.close();
    return { count: job.count, delivered, atOnce, grown, agentGrown: _meta.grown };
  },

  /** Requests of the client, `atOnce` in flight. */
  async requests({ count, atOnce, warmUp = 2_000 }) {
    const client = await connect(agentArgs, () => {});
    const session = await client.open();
    const run = async (total, times) => {
      let left = total;
      await Promise.all(
        Array.from({ length: atOnce }, async () => {
          while (left-- > 0) {
            const started = performance.now();
            await session.setMode();
            times?.push(performance.now() - started);
          }
        }),
      );
    };
    await run(warmUp);
    const times = [];
    const started = performance.now();
    await run(count, times);
    const ms = performance.now() - started;
    await client.close();
    times.sort((a, b) => a - b);
    return { ms, count, p50Us: times[times.length >> 1] * 1e3, p99Us: times[Math.floor(times.length * 0.99)] * 1e3 };
  },

  /** Updates that are not read until the turn is over. */
  async drain({ job }) {
    const client = await connect(agentArgs, () => {}, { queued: true });
    const session = await client.open();
    const drain = await session.queue(promptOf(job));
    const started = performance.now();
    const count = await drain();
    const ms = performance.now() - started;
    await client.close();
    return { ms, count };
  },
};

console.log(JSON.stringify(await tasks[task.do](task)));
process.exit(0);
