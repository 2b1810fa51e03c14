import type { StopCondition, streamText, ToolSet } from "ai";

type Settings = Parameters<typeof streamText>[0];
type Condition = StopCondition<ToolSet>;
type Step = Parameters<Condition>[0]["steps"][number];
type PrepareStep = NonNullable<Settings["prepareStep"]>;

/**
 * Counts the model calls (steps) of a turn in all of its streams. Each approval ends a stream, and `ai` counts from 0
 * in the next stream. This class adds the steps of the earlier streams, so that limits, `stopWhen` and `prepareStep`
 * see the whole turn.
 */
export class TurnSteps {
  readonly #maxSteps: number;
  readonly #conditions: readonly Condition[];
  readonly #prepareStep: PrepareStep | undefined;
  #steps: readonly Step[] = [];

  constructor(maxSteps: number, settings: Pick<Partial<Settings>, "stopWhen" | "prepareStep"> | undefined) {
    this.#maxSteps = maxSteps;
    this.#conditions = [settings?.stopWhen ?? []].flat() as Condition[];
    this.#prepareStep = settings?.prepareStep;
  }

  /** The number of model calls that the turn may still make. */
  get left(): number {
    return this.#maxSteps - this.#steps.length;
  }

  /** Returns settings that call the application's `stopWhen` and `prepareStep` with all steps of the turn. */
  settings(): Pick<Settings, "stopWhen"> & { prepareStep?: PrepareStep } {
    const before = this.#steps;
    const prepareStep = this.#prepareStep;
    return {
      stopWhen: ({ steps }) => this.#isOver([...before, ...(steps as readonly Step[])]),
      ...(prepareStep && {
        prepareStep: (options: Parameters<PrepareStep>[0]) =>
          prepareStep({
            ...options,
            steps: [...before, ...(options.steps as readonly Step[])] as typeof options.steps,
            stepNumber: before.length + options.stepNumber,
          }),
      }),
    };
  }

  /** Counts the steps of a stream that has ended. */
  add(steps: readonly unknown[]): void {
    this.#steps = [...this.#steps, ...(steps as readonly Step[])];
  }

  /** Whether the turn may make no more model calls. */
  isOver(): Promise<boolean> {
    return this.#isOver(this.#steps);
  }

  async #isOver(all: readonly Step[]): Promise<boolean> {
    if (all.length >= this.#maxSteps) return true;
    const steps = [...all];
    const met = await Promise.all(this.#conditions.map((condition) => condition({ steps })));
    return met.includes(true);
  }
}
