// A client process: `node client.mjs <side> <task as JSON>` runs the task and prints the measured figures as JSON.
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { peak, promptOf } from "./jobs.mjs";

const [side, taskText] = process.argv.slice(2);
const task = JSON.parse(taskText);
const { connect } = await import(`./client.${side}.mjs`);
const { version = 1 } = task;
const agentArgs = [fileURLToPath(new URL(`./agent.${side}.mjs`, import.meta.url)), String(version)];

const tasks = {
  /** Measures updates to a handler that counts them, in one session or in several sessions at the same time. */
  async updates({ job, sessions = 1, warmUp = Math.ceil(job.count / 2), lean = false }) {
    let delivered = 0;
    const client = await connect(
      agentArgs,
      () => {
        delivered++;
      },
      { lean, version },
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
    // If a client does not wait for its handlers, the responses resolve before all handlers have run.
    while (delivered < expected) await sleep(1);
    const ms = performance.now() - started;
    const { user, system } = process.cpuUsage(cpuBefore);
    const agentGrown = Math.max(...responses.map(({ _meta }) => _meta.grown));
    await client.close();
    return { ms, count: expected, delivered, cpuUs: (user + system) / expected, grown: peak() - before, agentGrown };
  },

  /** Measures the memory of updates that wait in a client whose handlers all block for `stallMs`. */
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

  /** Measures requests of the client, with `atOnce` requests in flight. */
  async requests({ count, atOnce, warmUp = count / 10 }) {
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

  /** Measures the time to read the updates of a turn after the turn has ended. */
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
