import { expectTypeOf, test } from "vitest";
import {
  askUser,
  type ConnectAgentOptions,
  type DecidePermission,
  isAuthRequired,
  type LoginMethod,
  type PermissionDecision,
  type PermissionRule,
  prompt,
  rememberDecisions,
  type Session,
  type SessionOption,
} from "./index.js";

test("a rule returns a kind that exists, or nothing", () => {
  expectTypeOf(async () => "allow_once" as const).toExtend<DecidePermission>();
  expectTypeOf(async () => undefined).toExtend<DecidePermission>();
  expectTypeOf(askUser()).toExtend<PermissionRule>();
  expectTypeOf(rememberDecisions()).toExtend<NonNullable<ConnectAgentOptions["permissions"]>>();
  // @ts-expect-error there is no such kind
  const misspelled: DecidePermission = async () => "allow_ones";
  void misspelled;
});

test("login methods, settings and authors narrow by one member, without a cast", () => {
  const label = (method: LoginMethod): string => {
    switch (method.kind) {
      case "agent":
        return method.name;
      case "terminal":
        return method.args.join(" ");
      case "env_var":
        return method.variables.map(({ name }) => name).join(" ");
      case "unknown":
        expectTypeOf(method.wire.whatever).toBeUnknown();
        return method.type;
    }
  };
  const value = (option: SessionOption): string | boolean => {
    return option.type === "select" ? (option.choices[0]?.value ?? option.value) : !option.value;
  };
  const author = (by: PermissionDecision["by"]): string => (by.type === "none" ? by.reason : by.rule);
  void [label, value, author];
});

test("an error that requires a login has the methods", () => {
  const error: unknown = undefined;
  if (isAuthRequired(error)) expectTypeOf(error.methods).toEqualTypeOf<readonly LoginMethod[] | undefined>();
});

test("media need a MIME type, and an application can't change the state of a session", () => {
  // @ts-expect-error a MIME type is needed
  prompt().image("AA==", {});
  // @ts-expect-error a resource has text or bytes
  prompt().resource({ path: "/a.ts" });
  const poke = (session: Session): void => {
    // @ts-expect-error only the connection sets the state
    session.options.setState({});
    // @ts-expect-error the state of a turn is read-only
    if (session.turn) session.turn.state = "settled";
  };
  void poke;
});
