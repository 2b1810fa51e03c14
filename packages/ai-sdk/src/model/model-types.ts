import type { LanguageModel } from "ai";

type Model = Extract<LanguageModel, { readonly specificationVersion: "v3" }>;

/**
 * A language model of the AI SDK, in the version of the interface that both `ai` 6 and 7 accept. This package declares
 * the type, because inferred types must not name a package that the application has not installed.
 */
export interface LanguageModelV3 extends Model {}

/** The options of a model call. */
export type ModelCallOptions = Parameters<LanguageModelV3["doStream"]>[0];

/** The parts of a model's stream. */
export type ModelStreamPart =
  Awaited<ReturnType<LanguageModelV3["doStream"]>>["stream"] extends ReadableStream<infer Part> ? Part : never;

/** The whole result of a model call. */
export type ModelResult = Awaited<ReturnType<LanguageModelV3["doGenerate"]>>;

/** A warning about an option of a model call that an agent does not support. */
export type ModelWarning = ModelResult["warnings"][number];

export type ModelFinishReason = ModelResult["finishReason"];
export type ModelUsage = ModelResult["usage"];
export type ModelPrompt = ModelCallOptions["prompt"];
