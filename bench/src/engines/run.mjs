// Runs one measurement of an engine in this process. Prints the figures as a line of JSON.
import { open } from "./engines.mjs";

const [name, url, taskText] = process.argv.slice(2);
const task = JSON.parse(taskText);
const TEXT = JSON.stringify({ type: "update", params: { text: "x".repeat(260) } });
const sessionsOf = (count) => Array.from({ length: count }, (_, i) => `${name}-${process.pid}-${i}`);

const tasks = {
  /** Appends batches of 20 entries, with one append in flight for each session. */
  async appends({ sessions: count, seconds }) {
    const sessions = sessionsOf(count);
    const engine = await open(name, url, sessions);
    const batch = Array.from({ length: 20 }, () => TEXT);
    const first = new Map(sessions.map((session) => [session, 1]));
    const run = async (until) => {
      let entries = 0;
      const times = [];
      const one = async (session) => {
        while (performance.now() < until) {
          const from = performance.now();
          await engine.append(session, first.get(session), batch);
          times.push(performance.now() - from);
          first.set(session, first.get(session) + batch.length);
          entries += batch.length;
        }
      };
      const from = performance.now();
      await Promise.all(sessions.map(one));
      times.sort((a, b) => a - b);
      const [p50Ms, p99Ms] = [0.5, 0.99].map((share) => times[Math.floor(times.length * share)]);
      return { count: entries, ms: performance.now() - from, p50Ms, p99Ms };
    };
    await run(performance.now() + 500);
    const figures = await run(performance.now() + seconds * 1_000);
    await engine.close();
    return figures;
  },

  /** Reads a journal in pages from its beginning. */
  async replay({ entries }) {
    const [session] = sessionsOf(1);
    const engine = await open(name, url, [session]);
    const batch = Array.from({ length: 1_000 }, () => TEXT);
    for (let first = 1; first <= entries; first += 1_000) await engine.append(session, first, batch);
    const from = performance.now();
    let count = 0;
    for (let more = 1; more > 0; count += more) more = await engine.read(session, count, 1_000);
    const ms = performance.now() - from;
    await engine.close();
    return { count, ms };
  },

  /** Creates idle sessions with 20 entries each, owned by one replica, and renews the membership of the replica. */
  async idle({ count }) {
    const sessions = sessionsOf(count);
    const engine = await open(name, url, sessions);
    const batch = Array.from({ length: 20 }, () => TEXT);
    for (let at = 0; at < count; at += 100)
      await Promise.all(sessions.slice(at, at + 100).map((session) => engine.append(session, 1, batch)));
    const from = performance.now();
    for (let i = 0; i < 100; i++) await engine.renew();
    const renewMs = (performance.now() - from) / 100;
    await engine.close();
    return { count, renewMs };
  },
};

console.log(JSON.stringify(await tasks[task.do](task)));
process.exit(0);
