import type { Choice } from "../dialogue/question.js";
import type { Candidate } from "../input/complete.js";
import type { Edited } from "../input/editor.js";
import { renderInput } from "../input/input-view.js";
import type { LiveArea } from "../screen/screen.js";
import type { Canvas } from "../text/canvas.js";
import { cleanLine } from "../text/clean.js";
import { truncate, widthOf } from "../text/layout.js";
import { seconds } from "../view/status-line.js";

/** The content of the live area at the bottom of the terminal. */
export interface LiveState {
  /** The running tool calls and the unfinished message, as lines. */
  readonly going: readonly string[];
  readonly plan: readonly string[];
  readonly busy: { readonly label: string; readonly elapsedMs: number; readonly spinner: string } | undefined;
  readonly queued: readonly string[];
  /** The open question. Once it takes keys, it is shown instead of the input. */
  readonly question: LiveQuestion | undefined;
  readonly input: Edited;
  readonly menu: { readonly candidates: readonly Candidate[]; readonly at: number | undefined };
  /** A short notice about keys. */
  readonly hint: string | undefined;
  readonly status: string;
  readonly rows: number;
}

/** The parts of an open question that the live area shows. */
export interface LiveQuestion {
  readonly lines: readonly string[];
  readonly choices: readonly Choice[] | undefined;
  /** What Esc does. */
  readonly none?: string | undefined;
  /** The index of the selected choice. */
  readonly at?: number | undefined;
  readonly input: Edited;
  readonly secret: boolean;
  /** The problem with the user's answer. */
  readonly problem: string | undefined;
  /** Whether keys answer the question. Until then, they go to the input, which is shown below the question. */
  readonly takesKeys: boolean;
  /** The number of queued questions. */
  readonly waiting: number;
}

/** Maximum number of lines of the input, and of its menu. */
const [maxInput, maxMenu] = [10, 8];

/** Renders the live area. If it is too tall, only the end of the running output is shown. */
export function liveLines(state: LiveState, canvas: Canvas): LiveArea {
  const bottom = bottomArea(state, canvas);
  const head = [...plan(state), ...busy(state, canvas)];
  const room = Math.max(0, state.rows - 1 - bottom.lines.length - head.length - 1);
  const going = state.going.length > room ? state.going.slice(state.going.length - Math.max(room, 0)) : state.going;
  const above = [...(going.length > 0 ? ["", ...going] : []), ...head, ""];
  return below(above, bottom);
}

function bottomArea(state: LiveState, canvas: Canvas): LiveArea {
  const { question } = state;
  if (question?.takesKeys) return questionArea(question, state.hint, canvas);
  const input = inputArea(state, canvas);
  return question === undefined ? input : below([...question.lines, waitingLine(question, canvas)], input);
}

function below(above: readonly string[], { lines, cursor }: LiveArea): LiveArea {
  const all = [...above, ...lines];
  return cursor === undefined ? { lines: all } : { lines: all, cursor: { ...cursor, row: cursor.row + above.length } };
}

function waitingLine({ waiting }: LiveQuestion, { paint, columns }: Canvas): string {
  const more = waiting === 0 ? "" : `, ${waiting} more`;
  return truncate(`  ${paint.yellow("Stop typing to answer")}${paint.dim(more)}`, columns);
}

function plan({ plan }: LiveState): string[] {
  return plan.length === 0 ? [] : ["", ...plan];
}

function busy({ busy, queued, question }: LiveState, { paint, columns }: Canvas): string[] {
  if (busy === undefined) return [];
  const waits = queued.map((text) => truncate(paint.dim(`  then: ${cleanLine(text)}`), columns));
  if (question !== undefined) return waits.length > 0 ? ["", ...waits] : [];
  const { label, elapsedMs, spinner } = busy;
  return ["", `${paint.cyan(spinner)} ${label} ${paint.dim(`${seconds(elapsedMs)} · Esc cancels`)}`, ...waits];
}

function inputArea(state: LiveState, canvas: Canvas): LiveArea {
  const { menu, hint, status, input } = state;
  const { paint, columns } = canvas;
  const { lines, row, column } = renderInput(input, { columns, mark: "› ", rest: "  ", maxLines: maxInput });
  const painted = lines.map((line) => (line.startsWith("› ") ? paint.cyan("›") + line.slice(1) : line));
  const ghost = input.text === "" ? [`${paint.cyan("›")} ${paint.dim("Ask, or /help")}`] : painted;
  const last = hint !== undefined ? [paint.yellow(hint)] : status === "" ? [] : [status];
  return { lines: [...ghost, ...menuLines(menu, canvas), ...last], cursor: { row, column } };
}

function menuLines({ candidates, at }: LiveState["menu"], { paint, columns }: Canvas): string[] {
  const from = Math.min(Math.max(0, (at ?? 0) - maxMenu + 1), Math.max(0, candidates.length - maxMenu));
  const shown = candidates.slice(from, from + maxMenu);
  const width = Math.max(0, ...shown.map(({ text }) => widthOf(text)));
  const lines = shown.map(({ text, hint }, index) => {
    const name = text + " ".repeat(width - widthOf(text));
    const chosen = from + index === at;
    return truncate(
      `  ${chosen ? paint.inverse(name) : paint.cyan(name)}  ${paint.dim(hint ?? "")}`,
      columns,
    ).trimEnd();
  });
  const more = candidates.length - shown.length;
  return more > 0 ? [...lines, paint.dim(`  … ${more} more`)] : lines;
}

function questionArea(
  { lines, choices, none, at, input, secret, problem, waiting }: LiveQuestion,
  hint: string | undefined,
  canvas: Canvas,
): LiveArea {
  const { paint, columns } = canvas;
  const more = waiting === 0 ? [] : [paint.dim(`  ${waiting} more ${waiting === 1 ? "question" : "questions"}`)];
  const trouble = [
    ...(problem === undefined ? [] : [paint.red(`  ${problem}`)]),
    ...(hint === undefined ? [] : [paint.yellow(`  ${hint}`)]),
  ];
  if (choices !== undefined)
    return { lines: [...lines, ...choiceLines(choices, none, at, canvas), ...trouble, ...more] };
  const view = renderInput(input, { columns, mark: "  › ", rest: "    ", secret, maxLines: maxInput });
  const all = [...lines, ...view.lines, ...trouble, ...more, paint.dim("  Enter answers, Esc cancels")];
  return { lines: all, cursor: { row: lines.length + view.row, column: view.column } };
}

/** Renders the choices with their keys: in one line, or in one line each if they don't fit. */
function choiceLines(
  choices: readonly Choice[],
  none = "none of them",
  at: number | undefined,
  { paint, columns }: Canvas,
): string[] {
  const words = choices.map(({ key, label }, index) =>
    index === at ? markOf(`${key} ${label}`, paint) : `${paint.bold(paint.cyan(key))} ${label}`,
  );
  const esc = `${paint.bold("esc")} ${paint.dim(none)}`;
  const line = `  ${[...words, esc].join("   ")}`;
  return widthOf(line) < columns ? [line] : [...words, esc].map((word) => truncate(`  ${word}`, columns));
}

/** Marks the selected choice. The mark is also visible without colours. */
function markOf(text: string, paint: Canvas["paint"]): string {
  return paint.enabled ? paint.inverse(text) : `›${text}`;
}
