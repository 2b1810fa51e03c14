/**
 * The models of a session as older agents send them, separate from config options. The protocol no longer defines them.
 */
export interface ModelState {
  readonly currentModelId: string;
  readonly availableModels: readonly {
    readonly modelId: string;
    readonly name: string;
    readonly description?: string | null;
  }[];
}

/**
 * Reads `models` from the response to `session/new`, `session/load` or `session/resume`. Returns `undefined` if it is
 * absent or malformed.
 */
export function modelStateOf(response: object): ModelState | undefined {
  const { models } = response as { models?: unknown };
  const { currentModelId, availableModels } = Object(models) as Record<string, unknown>;
  if (typeof currentModelId !== "string" || !Array.isArray(availableModels)) return undefined;
  return {
    currentModelId,
    availableModels: availableModels.flatMap((model: unknown) => {
      const { modelId, name, description } = Object(model) as Record<string, unknown>;
      if (typeof modelId !== "string") return [];
      return [
        {
          modelId,
          name: typeof name === "string" ? name : modelId,
          ...(typeof description === "string" && { description }),
        },
      ];
    }),
  };
}
