import { vi } from "vitest";

// The same tests with the next major of `ai`: one adapter serves both.
vi.mock("ai", () => import("ai-7"));
await import("./ai-sdk-agent.test.js");
