import { type Check, type Run, fail, fill, isObject, mend, record, replace, within } from "../../runtime/checks.js";

function checkPrompt(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  let t: unknown;
  t = v.image;
  if (typeof t !== "boolean") replace(run, v, "image", "a boolean", false);
  return true;
}

function checkCapabilities(v: unknown, run: Run): boolean {
  if (!isObject(v)) return fail(run, v, "an object");
  let t: unknown;
  let { n } = run;
  t = v.load;
  if (typeof t !== "boolean") n = replace(run, v, "load", "a boolean", false);
  t = v.prompt;
  if (t === undefined || !(checkPrompt(t, run) && run.n === n)) n = mend(run, v, "prompt", n, {"image":false});
  t = v.properties;
  if (t === undefined) n = fill(run, v, "properties", {});
  else if (!(record(t, run, checkPrompt) && run.n === n) && (n = within(run, "properties", n)) < 0) return false;
  return true;
}

export const checks: Record<string, Check> = {
  "Prompt": checkPrompt,
  "Capabilities": checkCapabilities,
};
