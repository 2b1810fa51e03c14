/** The factor between two measured sizes. */
const STEP = 16;
/**
 * The largest {@link growthOf} of linear work. That is about 16, and several times as much on a machine whose memory is
 * slow or shared. That of quadratic work is about 256.
 */
export const LINEAR = 128;
/** The smaller size takes at least this time, so that both sizes allocate memory and compile their code. */
const MEASURABLE_MS = 2;
/**
 * Work that looks too slow is measured again: on a busy machine, memory that others use makes processor time longer.
 */
const MAX_ATTEMPTS = 5;

/**
 * Returns how many times as long `work` takes for 16 times its size. Measures the processor time of this process, so
 * other processes don't matter. `from` is the first size; the size grows until its time can be measured, or up to `to`.
 * The growth of work that can't be measured there is 1.
 */
export async function growthOf(work, { from = 1_000, to = 4_000_000 } = {}) {
  let size = from;
  await work(size); // The first call also compiles the code.
  let before = await timeOf(work, size);
  for (; before < MEASURABLE_MS; before = await timeOf(work, size)) {
    size *= 2;
    if (size * STEP > to) return 1;
  }
  let growth = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < MAX_ATTEMPTS && growth > LINEAR; attempt += 1) {
    growth = Math.min(growth, (await timeOf(work, size * STEP)) / before);
    before = await timeOf(work, size);
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
