import { act, type ReactNode, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { onTestFinished } from "vitest";

/** A rendered tree. */
export interface Rendered {
  readonly container: HTMLElement;
  render(node: ReactNode): Promise<void>;
  unmount(): Promise<void>;
}

/** Renders in a document, with StrictMode, which mounts everything twice. */
export async function render(node: ReactNode): Promise<Rendered> {
  (globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = true;
  Element.prototype.scrollIntoView ??= () => {}; // jsdom has no layout
  const container = document.createElement("div");
  document.body.append(container);
  const root = createRoot(container);
  const rendered: Rendered = {
    container,
    render: (next) => act(async () => root.render(<StrictMode>{next}</StrictMode>)),
    unmount: () => act(async () => root.unmount()),
  };
  onTestFinished(async () => {
    await rendered.unmount();
    container.remove();
  });
  await rendered.render(node);
  return rendered;
}

/** Waits until a condition is true, while React renders the changes. */
export async function until(holds: () => boolean): Promise<void> {
  for (let round = 0; !holds(); round += 1) {
    if (round > 2_000)
      throw new Error(`It never held: ${holds.toString()}\n${document.body.innerHTML.slice(0, 2_000)}`);
    await act(() => new Promise((resolve) => setTimeout(resolve, 1)));
  }
}

/** Types into an input or text area, as a user does: React listens to the native setter. */
export async function type(element: HTMLInputElement | HTMLTextAreaElement, text: string): Promise<void> {
  const prototype = element instanceof HTMLTextAreaElement ? HTMLTextAreaElement.prototype : HTMLInputElement.prototype;
  await act(async () => {
    Object.getOwnPropertyDescriptor(prototype, "value")?.set?.call(element, text);
    element.setSelectionRange(text.length, text.length);
    element.dispatchEvent(new Event("input", { bubbles: true }));
  });
}

/** Presses a key on an element. */
export async function press(element: Element, key: string, more: KeyboardEventInit = {}): Promise<void> {
  await act(async () => {
    element.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }));
  });
}

/** Clicks an element. */
export async function click(element: Element | null | undefined): Promise<void> {
  if (!(element instanceof HTMLElement)) throw new Error("There is nothing to click");
  await act(async () => element.click());
}

/** Returns the button whose text or label contains the text. */
export function button(container: Element, text: string): HTMLButtonElement {
  const found = [...container.querySelectorAll("button")].find(
    (each) => each.textContent?.includes(text) || each.getAttribute("aria-label")?.includes(text),
  );
  if (found === undefined) throw new Error(`No button "${text}" in ${container.innerHTML.slice(0, 2_000)}`);
  return found;
}
