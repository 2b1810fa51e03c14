import { expect, test } from "vitest";
import { cuttable } from "../../test/cuttable-engine.js";
import { ManualClock } from "../../test/manual-clock.js";
import { Rig } from "../../test/rig.js";
import { memoryEngine } from "../index.js";
import { healthResponse } from "./health.js";

test("a gateway is not ready while it can't renew its membership, so that a load balancer sends clients elsewhere", async () => {
  const clock = new ManualClock();
  const { engine, cut } = cuttable(memoryEngine({ now: () => clock.now() }));
  const { gateway } = await Rig.start({ clock, engine });
  const ready = async (): Promise<unknown> => {
    const response = healthResponse(gateway, "/readyz");
    return [response?.status, await response?.text()];
  };
  cut(true);
  await clock.advance(5_000);
  expect(await ready()).toEqual([200, "ready\n"]);
  await clock.advance(15_000);
  expect(await ready()).toEqual([503, "no engine\n"]);
  expect(healthResponse(gateway, "/healthz")?.status).toBe(200);
  cut(false);
  await clock.advance(5_000);
  expect(await ready()).toEqual([200, "ready\n"]);
});
