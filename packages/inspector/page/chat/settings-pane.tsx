import { plainLine } from "@acp-kit/react";
import { type ReactElement, useState } from "react";
import type { AccessMode } from "../../src/node/page/protocol.js";
import { textOf } from "../model/members.js";
import { useInspected } from "../parts/context.js";
import { JsonView } from "../parts/json-view.js";

const modes: readonly { readonly value: AccessMode; readonly label: string }[] = [
  { value: "real", label: "served by this machine, inside the session's folders" },
  { value: "refused", label: "refused with an error" },
  { value: "manual", label: "answered by you" },
];

/** The agent's process, logins and capabilities, and who responds to requests for files and terminals. */
export function SettingsPane(): ReactElement {
  const { store, link } = useInspected();
  const { access, status, initialize } = link.state;
  const [params, setParams] = useState(() => JSON.stringify(initialize, undefined, 2));
  const [problem, setProblem] = useState("");
  const { agent } = store.conversation;
  const isLive = link.canSend;
  const [login, logout] = agent.protocolVersion === 2 ? ["auth/login", "auth/logout"] : ["authenticate", "logout"];
  const restart = (): void => {
    try {
      link.send({ do: "restart", initialize: JSON.parse(params) });
      setProblem("");
    } catch {
      setProblem("The params are not JSON.");
    }
  };
  return (
    <div className="form-pane">
      <h2>Agent</h2>
      <p>
        {plainLine(`${agent.name ?? "no name"} ${agent.version ?? ""}`, 200)}{" "}
        <span className="acp-note">
          {status?.is === "ended" ? `ended: ${plainLine(status.reason, 300)}` : status?.is}
        </span>
      </p>
      {access !== undefined &&
        (["files", "terminals"] as const).map((part) => (
          <label key={part}>
            Requests for {part}{" "}
            <select
              id={`access-${part}`}
              value={access[part]}
              onChange={(event) =>
                link.send({ do: "access", setting: { ...access, [part]: event.currentTarget.value as AccessMode } })
              }
            >
              {modes.map(({ value, label }) => (
                <option key={value} value={value}>
                  {label}
                </option>
              ))}
            </select>
          </label>
        ))}
      {agent.authMethods.length > 0 && (
        <>
          <h2>Logins</h2>
          <ul className="sessions">
            {agent.authMethods.slice(0, 50).map((method, index) => (
              <li key={index}>
                <bdi>{plainLine(textOf(method, "name") ?? textOf(method, "id"), 80)}</bdi>{" "}
                <button
                  type="button"
                  disabled={!isLive}
                  onClick={() => link.request(login, { methodId: textOf(method, "id") })}
                >
                  Log in
                </button>
              </li>
            ))}
          </ul>
          <button type="button" disabled={!isLive} onClick={() => link.request(logout, {})}>
            Log out
          </button>
        </>
      )}
      <h2>Process</h2>
      <label>
        Params of initialize{" "}
        <textarea id="initialize" rows={10} value={params} onChange={(event) => setParams(event.currentTarget.value)} />
      </label>
      <p className="acp-problem" role="alert">
        {problem}
      </p>
      <button type="button" id="restart" onClick={restart}>
        Restart the agent
      </button>{" "}
      <button type="button" disabled={!isLive} onClick={() => link.send({ do: "stop" })}>
        Stop the agent
      </button>
      <h2>Capabilities</h2>
      <JsonView value={agent.capabilities} />
    </div>
  );
}
