import { InvalidArgumentError } from "commander";

/** Ids with commas between. */
export function list(text: string): readonly string[] {
  return text
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");
}

/** How many at a time. */
export function count(text: string): number {
  const jobs = Number(text);
  if (!Number.isInteger(jobs) || jobs < 1) throw new InvalidArgumentError("It takes a whole number over 0.");
  return jobs;
}

/** Seconds, as milliseconds. */
export function seconds(text: string): number {
  const value = Number(text);
  if (!(value > 0)) throw new InvalidArgumentError("It takes seconds: a number over 0.");
  return value * 1000;
}
