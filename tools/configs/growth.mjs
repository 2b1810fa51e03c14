/** The factor between two measured sizes. */
const STEP = 32;
/**
 * The largest {@link growthOf} of linear work. That is about 32, and several times as much where the larger size does not
 * fit into the caches of the processor. That of quadratic work is about 1,000.
 */
export const LINEAR = 180;
/** A time of this length can be measured, also in a process that collects garbage meanwhile. */
const MEASURABLE_MS = 20;
/** Work that looks too slow is measured again: on a busy machine, memory that others use makes processor time longer. */
const MAX_ATTEMPTS = 5;

/**
 * Returns how many times as long `work` takes for 32 times its size. Measures the processor time of this process, so
 * other processes don't matter. `from` is the first size; the size grows until the time can be measured, or up to `to`.
 * The growth of work that can't be measured there is 1.
 */
export async function growthOf(work, { from = 1_000, to = 4_000_000 } = {}) {
  let size = from;
  await work(size); // The first call also compiles the code.
  let time = await timeOf(work, size * STEP);
  for (; time < MEASURABLE_MS; time = await timeOf(work, size * STEP)) {
    size *= 4;
    if (size * STEP > to) return 1;
  }
  let growth = time / (await timeOf(work, size));
  for (let attempt = 1; attempt < MAX_ATTEMPTS && growth > LINEAR; attempt += 1) {
    const before = await timeOf(work, size);
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
