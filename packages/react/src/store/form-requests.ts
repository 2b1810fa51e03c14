import type { ClientContext, ElicitationHandlers, ElicitationOf, Session } from "@acp-kit/client";
import type { CreateElicitationResponse } from "@acp-kit/types";
import { Value } from "./value.js";

/** A request of the agent to the user: fill in a form, or open a web page. The object is immutable. */
export interface FormRequest {
  /** A number that increases with each request, usable as the `key` of a list. */
  readonly id: number;
  readonly request: ElicitationOf<"form"> | ElicitationOf<"url">;
  readonly session: Session | undefined;
  /** Whether the agent has reported that the user completed the page of a `url` request. */
  readonly completed: boolean;
  /** Sends the user's response. Returns `false` if the request was already settled or cancelled. */
  respond(response: CreateElicitationResponse): boolean;
}

/** The list of the forms and web pages that wait for the user, and the elicitation handlers that add them to it. */
export class FormRequests {
  readonly list: Value<readonly FormRequest[]> = new Value<readonly FormRequest[]>([]);
  readonly handlers: ElicitationHandlers;
  #last = 0;

  constructor() {
    this.handlers = {
      form: (request, context) => this.#add(request, context),
      url: (request, context) => this.#add(request, context),
      onComplete: (elicitationId) => this.#complete(elicitationId),
    };
  }

  #add(request: FormRequest["request"], { session, signal }: ClientContext): Promise<CreateElicitationResponse> {
    return new Promise((resolve) => {
      this.#last += 1;
      const id = this.#last;
      const respond = (response: CreateElicitationResponse): boolean => {
        if (!this.list.snapshot.some((form) => form.id === id)) return false;
        this.list.set(this.list.snapshot.filter((form) => form.id !== id));
        signal.removeEventListener("abort", cancel);
        resolve(response);
        return true;
      };
      const cancel = (): void => void respond({ action: "cancel" });
      this.list.set([...this.list.snapshot, { id, request, session, completed: false, respond }]);
      if (signal.aborted) cancel();
      else signal.addEventListener("abort", cancel, { once: true });
    });
  }

  #complete(elicitationId: string): void {
    const isIt = ({ request }: FormRequest): boolean =>
      "elicitationId" in request && request.elicitationId === elicitationId;
    if (!this.list.snapshot.some(isIt)) return;
    this.list.set(this.list.snapshot.map((form) => (isIt(form) ? { ...form, completed: true } : form)));
  }
}
