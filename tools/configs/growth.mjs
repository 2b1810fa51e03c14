/** The factor between two measured sizes. */
const STEP = 16;
/** The largest {@link growthOf} of linear work, which is about 16. That of quadratic work is about 256. */
export const LINEAR = 64;
/** A time of this length can be measured, also in a process that collects garbage meanwhile. */
const MEASURABLE_MS = 20;
/** On a machine that others use, too, processor time is also longer: by the memory that they share. */
const MAX_ATTEMPTS = 8;

/**
 * Returns how many times as long `work` takes for 16 times its size. Measures the processor time of this process, so
 * other processes don't matter. `from` is the first size; the size grows until the time can be measured, or up to `to`.
 * The growth of work that can't be measured there is 1.
 */
export async function growthOf(work, { from = 1_000, to = 4_000_000 } = {}) {
  let size = from;
  await work(size); // The first call also compiles the code.
  let before = await timeOf(work, size);
  let time;
  for (;;) {
    time = await timeOf(work, size * STEP);
    if (time >= MEASURABLE_MS) break;
    size *= STEP;
    if (size * STEP > to) return 1;
    before = time;
  }
  let growth = time / before;
  for (let attempt = 1; attempt < MAX_ATTEMPTS && growth > LINEAR; attempt += 1) {
    before = await timeOf(work, size);
    growth = Math.min(growth, (await timeOf(work, size * STEP)) / before);
  }
  return growth;
}

/** Returns the processor time of one call, in milliseconds. */
async function timeOf(work, size) {
  const start = process.cpuUsage();
  await work(size);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}
