import { vi } from "vitest";

// The same tests with the next major version of `ai`.
vi.mock("ai", () => import("ai-7"));
await import("./pipe.test.js");
