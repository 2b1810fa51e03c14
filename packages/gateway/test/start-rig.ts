import { onTestFinished } from "vitest";
import { Rig, type RigOptions } from "./rig.js";

/** Starts a gateway, and closes it when the test that calls this function has finished. */
export async function startRig(options?: RigOptions): Promise<Rig> {
  const rig = await Rig.start(options);
  onTestFinished(() => rig.close());
  return rig;
}
