// TEMPORARY
import type * as S from "@acp-kit/schema";
export interface AgentRequests {
  readonly initialize: {
    readonly params: S.InitializeRequest;
    readonly incomingParams: S.InitializeRequest;
    readonly result: S.InitializeResponse;
    readonly incomingResult: S.IncomingInitializeResponse;
  };
  readonly authenticate: {
    readonly params: S.AuthenticateRequest;
    readonly incomingParams: S.AuthenticateRequest;
    readonly result: S.AuthenticateResponse;
    readonly incomingResult: S.AuthenticateResponse;
  };
  readonly logout: {
    readonly params: S.LogoutRequest;
    readonly incomingParams: S.LogoutRequest;
    readonly result: S.LogoutResponse;
    readonly incomingResult: S.LogoutResponse;
  };
  readonly "session/new": {
    readonly params: S.NewSessionRequest;
    readonly incomingParams: S.IncomingNewSessionRequest;
    readonly result: S.NewSessionResponse;
    readonly incomingResult: S.IncomingNewSessionResponse;
  };
  readonly "session/load": {
    readonly params: S.LoadSessionRequest;
    readonly incomingParams: S.IncomingLoadSessionRequest;
    readonly result: S.LoadSessionResponse;
    readonly incomingResult: S.IncomingLoadSessionResponse;
  };
  readonly "session/list": {
    readonly params: S.ListSessionsRequest;
    readonly incomingParams: S.ListSessionsRequest;
    readonly result: S.ListSessionsResponse;
    readonly incomingResult: S.ListSessionsResponse;
  };
  readonly "session/delete": {
    readonly params: S.DeleteSessionRequest;
    readonly incomingParams: S.DeleteSessionRequest;
    readonly result: S.DeleteSessionResponse;
    readonly incomingResult: S.DeleteSessionResponse;
  };
  readonly "session/resume": {
    readonly params: S.ResumeSessionRequest;
    readonly incomingParams: S.IncomingResumeSessionRequest;
    readonly result: S.ResumeSessionResponse;
    readonly incomingResult: S.IncomingResumeSessionResponse;
  };
  readonly "session/close": {
    readonly params: S.CloseSessionRequest;
    readonly incomingParams: S.CloseSessionRequest;
    readonly result: S.CloseSessionResponse;
    readonly incomingResult: S.CloseSessionResponse;
  };
  readonly "session/set_mode": {
    readonly params: S.SetSessionModeRequest;
    readonly incomingParams: S.SetSessionModeRequest;
    readonly result: S.SetSessionModeResponse;
    readonly incomingResult: S.SetSessionModeResponse;
  };
  readonly "session/set_config_option": {
    readonly params: S.SetSessionConfigOptionRequest;
    readonly incomingParams: S.IncomingSetSessionConfigOptionRequest;
    readonly result: S.SetSessionConfigOptionResponse;
    readonly incomingResult: S.IncomingSetSessionConfigOptionResponse;
  };
  readonly "session/prompt": {
    readonly params: S.PromptRequest;
    readonly incomingParams: S.IncomingPromptRequest;
    readonly result: S.PromptResponse;
    readonly incomingResult: S.PromptResponse;
  };
}
export interface ClientRequests {
  readonly "fs/write_text_file": {
    readonly params: S.WriteTextFileRequest;
    readonly incomingParams: S.WriteTextFileRequest;
    readonly result: S.WriteTextFileResponse;
    readonly incomingResult: S.WriteTextFileResponse;
  };
  readonly "fs/read_text_file": {
    readonly params: S.ReadTextFileRequest;
    readonly incomingParams: S.ReadTextFileRequest;
    readonly result: S.ReadTextFileResponse;
    readonly incomingResult: S.ReadTextFileResponse;
  };
  readonly "session/request_permission": {
    readonly params: S.RequestPermissionRequest;
    readonly incomingParams: S.IncomingRequestPermissionRequest;
    readonly result: S.RequestPermissionResponse;
    readonly incomingResult: S.IncomingRequestPermissionResponse;
  };
  readonly "terminal/create": {
    readonly params: S.CreateTerminalRequest;
    readonly incomingParams: S.CreateTerminalRequest;
    readonly result: S.CreateTerminalResponse;
    readonly incomingResult: S.CreateTerminalResponse;
  };
  readonly "terminal/output": {
    readonly params: S.TerminalOutputRequest;
    readonly incomingParams: S.TerminalOutputRequest;
    readonly result: S.TerminalOutputResponse;
    readonly incomingResult: S.TerminalOutputResponse;
  };
  readonly "terminal/release": {
    readonly params: S.ReleaseTerminalRequest;
    readonly incomingParams: S.ReleaseTerminalRequest;
    readonly result: S.ReleaseTerminalResponse;
    readonly incomingResult: S.ReleaseTerminalResponse;
  };
  readonly "terminal/wait_for_exit": {
    readonly params: S.WaitForTerminalExitRequest;
    readonly incomingParams: S.WaitForTerminalExitRequest;
    readonly result: S.WaitForTerminalExitResponse;
    readonly incomingResult: S.WaitForTerminalExitResponse;
  };
  readonly "terminal/kill": {
    readonly params: S.KillTerminalRequest;
    readonly incomingParams: S.KillTerminalRequest;
    readonly result: S.KillTerminalResponse;
    readonly incomingResult: S.KillTerminalResponse;
  };
  readonly "elicitation/create": {
    readonly params: S.CreateElicitationRequest;
    readonly incomingParams: S.IncomingCreateElicitationRequest;
    readonly result: S.CreateElicitationResponse;
    readonly incomingResult: S.IncomingCreateElicitationResponse;
  };
}
export interface AgentNotifications {
  readonly "session/cancel": { readonly params: S.CancelNotification; readonly incomingParams: S.CancelNotification };
}
export interface ClientNotifications {
  readonly "session/update": {
    readonly params: S.SessionNotification;
    readonly incomingParams: S.IncomingSessionNotification;
  };
  readonly "elicitation/complete": {
    readonly params: S.CompleteElicitationNotification;
    readonly incomingParams: S.CompleteElicitationNotification;
  };
}
export const methods: Readonly<
  Record<
    string,
    { side: "agent" | "client" | "protocol" | "proxy"; kind: "request" | "notification"; capability?: string }
  >
> = {
  "fs/write_text_file": { side: "client", kind: "request", capability: "clientCapabilities.fs.writeTextFile" },
  "fs/read_text_file": { side: "client", kind: "request", capability: "clientCapabilities.fs.readTextFile" },
  "session/request_permission": { side: "client", kind: "request" },
  "terminal/create": { side: "client", kind: "request", capability: "clientCapabilities.terminal" },
  "terminal/output": { side: "client", kind: "request", capability: "clientCapabilities.terminal" },
  "terminal/release": { side: "client", kind: "request", capability: "clientCapabilities.terminal" },
  "terminal/wait_for_exit": { side: "client", kind: "request", capability: "clientCapabilities.terminal" },
  "terminal/kill": { side: "client", kind: "request", capability: "clientCapabilities.terminal" },
  "elicitation/create": { side: "client", kind: "request" },
  initialize: { side: "agent", kind: "request" },
  authenticate: { side: "agent", kind: "request" },
  logout: { side: "agent", kind: "request", capability: "agentCapabilities.auth.logout" },
  "session/new": { side: "agent", kind: "request" },
  "session/load": { side: "agent", kind: "request", capability: "agentCapabilities.loadSession" },
  "session/list": { side: "agent", kind: "request", capability: "agentCapabilities.sessionCapabilities.list" },
  "session/delete": { side: "agent", kind: "request", capability: "agentCapabilities.sessionCapabilities.delete" },
  "session/resume": { side: "agent", kind: "request", capability: "agentCapabilities.sessionCapabilities.resume" },
  "session/close": { side: "agent", kind: "request", capability: "agentCapabilities.sessionCapabilities.close" },
  "session/set_mode": { side: "agent", kind: "request" },
  "session/set_config_option": { side: "agent", kind: "request" },
  "session/prompt": { side: "agent", kind: "request" },
  "session/update": { side: "client", kind: "notification" },
  "elicitation/complete": { side: "client", kind: "notification" },
  "session/cancel": { side: "agent", kind: "notification" },
  "$/cancel_request": { side: "protocol", kind: "notification" },
};
