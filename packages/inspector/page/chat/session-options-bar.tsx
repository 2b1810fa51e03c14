import type { TranscriptSnapshot } from "@acp-kit/client";
import { plainLine } from "@acp-kit/react";
import type { ReactElement } from "react";
import { asText, listOf, members, textOf } from "../model/members.js";
import type { SessionModel } from "../model/session-model.js";
import { useInspected } from "../parts/context.js";

/** The mode, the options and the usage of a session. */
export function SessionOptionsBar(props: {
  readonly session: SessionModel;
  readonly isVersion2: boolean;
  readonly snapshot: TranscriptSnapshot;
  readonly isLive: boolean;
}): ReactElement | null {
  const { session, isVersion2, snapshot, isLive } = props;
  const { link } = useInspected();
  const { sessionId } = session;
  const { configOptions = [], usage } = snapshot;
  // Agents that send config options repeat their modes there
  const modes = configOptions.length === 0 ? snapshot.modes : undefined;
  const context = usage.context;
  if (
    !isVersion2 &&
    modes === undefined &&
    configOptions.length === 0 &&
    context === undefined &&
    usage.cost === undefined
  )
    return null;
  return (
    <div className="options">
      {modes !== undefined && (
        <label>
          Mode{" "}
          <select
            disabled={!isLive}
            value={modes.currentModeId ?? ""}
            onChange={(event) => link.request("session/set_mode", { sessionId, modeId: event.currentTarget.value })}
          >
            {modes.availableModes.map(({ id, name }, index) => (
              <option key={index} value={id}>
                {plainLine(name, 60)}
              </option>
            ))}
          </select>
        </label>
      )}
      {configOptions.slice(0, 20).map((option, index) => {
        const { id, name, type, currentValue } = option as unknown as Readonly<Record<string, unknown>>;
        const set = (value: string | boolean): void =>
          link.request("session/set_config_option", {
            sessionId,
            configId: id,
            ...(typeof value === "boolean" ? { type: "boolean" } : isVersion2 && { type: "id" }),
            value,
          });
        if (type === "boolean") {
          return (
            <label key={index}>
              <input
                type="checkbox"
                disabled={!isLive}
                checked={currentValue === true}
                onChange={(event) => set(event.currentTarget.checked)}
              />{" "}
              {plainLine(name, 60)}
            </label>
          );
        }
        return (
          <label key={index}>
            {plainLine(name, 60)}{" "}
            <select
              disabled={!isLive}
              value={asText(currentValue)}
              onChange={(event) => set(event.currentTarget.value)}
            >
              {choicesOf(option).map(({ value, label }, place) => (
                <option key={place} value={value}>
                  {label}
                </option>
              ))}
            </select>
          </label>
        );
      })}
      {isVersion2 && <span className="acp-note">{snapshot.requiresAction ? "waits for you" : snapshot.activity}</span>}
      {context !== undefined && (
        <span className="acp-note">{`context ${context.used.toLocaleString("en")} of ${context.size.toLocaleString("en")}`}</span>
      )}
      {usage.cost !== undefined && (
        <span className="acp-note">{`${usage.cost.amount} ${plainLine(usage.cost.currency, 10)}`}</span>
      )}
    </div>
  );
}

function choicesOf(option: unknown): readonly { value: string; label: string }[] {
  return listOf(option, "options")
    .flatMap((each) => (Array.isArray(members(each).options) ? listOf(each, "options") : [each]))
    .slice(0, 500)
    .map((each) => ({
      value: textOf(each, "value") ?? "",
      label: plainLine(textOf(each, "name") ?? textOf(each, "value"), 80),
    }));
}
