import { vi } from "vitest";

// The same tests with the next major of `ai`: one model supports both.
vi.mock("ai", () => import("ai-7"));
await import("./acp-provider.test.js");
