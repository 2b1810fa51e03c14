import { fileBlock, sourceBlock } from "./blocks.js";
import { messageOf } from "./json.js";
import type { AnyPart, NewerPartType, TextStreamPartType, UiMessageChunkType } from "./stream-part.js";
import type { TurnWriter } from "./turn-writer.js";

type Handler = (part: AnyPart, writer: TurnWriter) => void | Promise<void>;

const nothing: Handler = () => {};

/** The handler for each type of stream part. `part-table.ts` describes what each handler sends to the client. */
export const partHandlers: Readonly<Record<TextStreamPartType | UiMessageChunkType | NewerPartType, Handler>> = {
  start: ({ messageMetadata }, writer) => writer.extra({ messageMetadata }),
  "start-step": (_, writer) => {
    writer.steps += 1;
  },
  "text-start": ({ id = "" }, writer) => void writer.startText("message", id),
  "text-delta": ({ id = "", text, delta }, writer) => writer.writeText("message", id, text ?? delta ?? ""),
  "text-end": ({ id = "" }, writer) => writer.endText("message", id),
  "reasoning-start": ({ id = "" }, writer) => void writer.startText("thought", id),
  "reasoning-delta": ({ id = "", text, delta }, writer) => writer.writeText("thought", id, text ?? delta ?? ""),
  "reasoning-end": ({ id = "" }, writer) => writer.endText("thought", id),

  "tool-input-start": (part, writer) => void writer.call(part),
  "tool-input-delta": (part, writer) => writer.inputDelta(part),
  "tool-input-end": nothing,
  "tool-call": (part, writer) => writer.input(part),
  "tool-input-available": (part, writer) => writer.input(part),
  async "tool-input-error"(part, writer) {
    await writer.input({ ...part, invalid: true });
    await writer.fail(part, part.errorText ?? "Invalid input");
  },
  "tool-approval-request": (part, writer) => writer.approval(part),
  "tool-approval-response": (part, writer) => writer.approved(part),
  "tool-result": (part, writer) => writer.output(part),
  "tool-output-available": (part, writer) => writer.output(part),
  "tool-error": (part, writer) => writer.fail(part, messageOf(part.error)),
  "tool-output-error": (part, writer) => writer.fail(part, part.errorText ?? "Unknown error"),
  "tool-output-denied": (part, writer) => writer.fail(part, "Not permitted"),

  source: (part, writer) => writer.block("message", sourceBlock(part)),
  "source-url": (part, writer) => writer.block("message", sourceBlock(part)),
  "source-document": (part, writer) => writer.block("message", sourceBlock(part)),
  file: (part, writer) => writer.block("message", fileBlock(part)),
  "reasoning-file": (part, writer) => writer.block("thought", fileBlock(part)),
  custom: (part, writer) => writer.extra({ custom: part }),
  "reset-step": (_, writer) => writer.resetStep(),
  "data-*": (part, writer) => writer.extra({ data: part }),
  "message-metadata": ({ messageMetadata }, writer) => writer.extra({ messageMetadata }),
  "steering-message": nothing,

  "finish-step": ({ usage }, writer) => writer.used(usage),
  async finish({ finishReason, totalUsage, messageMetadata }, writer) {
    writer.finishReason = finishReason;
    writer.totalUsage = totalUsage;
    await writer.extra({ messageMetadata });
  },
  abort: (_, writer) => {
    writer.aborted = true;
  },
  error: ({ error, errorText }, writer) => writer.failed(error ?? new Error(errorText ?? "Unknown error")),
  raw: nothing,
  ping: nothing,
};
