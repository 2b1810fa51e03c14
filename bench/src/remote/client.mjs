// Runs measurements of a client in this process and a server in another. Prints the figures as a line of JSON. One pair
// of processes runs several measurements, because starting processes takes most of the time.
import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { promptOf } from "../wire/jobs.mjs";

const [side, profile, tasksText] = process.argv.slice(2);
const { connect } = await import(`./client.${side}.mjs`);
const server = fork(fileURLToPath(new URL("server.mjs", import.meta.url)), [side, profile], {
  execArgv: ["--expose-gc"],
});
const [{ port }] = await once(server, "message");

/** The number of connections that are opened at the same time. */
const AT_ONCE = 25;

const tasks = {
  async updates({ update, count }) {
    let delivered = 0;
    const client = await connect(profile, port, () => void delivered++);
    const session = await client.open();
    await session.prompt(promptOf({ update, count: count / 2 }));
    delivered = 0;
    const from = performance.now();
    await session.prompt(promptOf({ update, count }));
    return { count: delivered, ms: performance.now() - from };
  },
  async requests({ count, atOnce }) {
    const client = await connect(profile, port, () => {});
    const session = await client.open();
    const times = [];
    const play = async (share) => {
      for (let n = 0; n < share; n++) {
        const from = performance.now();
        await session.setMode();
        times.push((performance.now() - from) * 1_000);
      }
    };
    const all = (total) => Promise.all(Array.from({ length: atOnce }, () => play(total / atOnce)));
    await all(count / 4);
    times.length = 0;
    const from = performance.now();
    await all(count);
    const ms = performance.now() - from;
    times.sort((a, b) => a - b);
    return { count: times.length, ms, p50Us: times[times.length >> 1], p99Us: times[Math.floor(times.length * 0.99)] };
  },
  async connects({ count }) {
    const play = async (times) => {
      for (let n = 0; n < times; n++) {
        const client = await connect(profile, port, () => {});
        await client.close();
      }
    };
    await play(count / 4);
    const from = performance.now();
    await play(count);
    return { count, ms: performance.now() - from };
  },
  async idle({ count }) {
    const memory = async () => {
      server.send("memory");
      const [{ rss }] = await once(server, "message");
      return rss;
    };
    const open = async (times) => {
      const some = async (share) => {
        for (let n = 0; n < share; n++) await connect(profile, port, () => {});
      };
      await Promise.all(Array.from({ length: AT_ONCE }, () => some(times / AT_ONCE)));
    };
    await open(500); // warms up code and pools
    const before = await memory();
    await open(count);
    return { count, bytes: ((await memory()) - before) / count };
  },
};
const figures = {};
for (const [name, task] of Object.entries(JSON.parse(tasksText))) {
  const measured = await tasks[task.do](task);
  for (const [figure, value] of Object.entries(measured)) figures[`${name}.${figure}`] = value;
}
console.log(JSON.stringify(figures));
server.disconnect();
process.exit();
