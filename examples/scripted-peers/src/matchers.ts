// #region matchers
import { type AcpMatchers, acpMatchers } from "@acp-kit/testing/vitest";
import { expect } from "vitest";

expect.extend(acpMatchers);

declare module "vitest" {
  interface Matchers<T> extends AcpMatchers<T> {}
}
// #endregion matchers
