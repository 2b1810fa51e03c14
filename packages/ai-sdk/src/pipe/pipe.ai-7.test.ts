import { vi } from "vitest";

// The same tests with the next major of `ai`.
vi.mock("ai", () => import("ai-7"));
await import("./pipe.test.js");
