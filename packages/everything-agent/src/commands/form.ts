import type { ElicitationSchema } from "@acp-kit/types";
import type { EverythingCommand } from "../command.js";

/** Every kind of property that a form may have. */
const requestedSchema: ElicitationSchema = {
  type: "object",
  title: "A form with everything",
  properties: {
    name: { type: "string", title: "Name", minLength: 1, maxLength: 40, pattern: "^[^\\d]+$", default: "Ada" },
    email: { type: "string", title: "E-mail", format: "email" },
    homepage: { type: "string", title: "Homepage", format: "uri" },
    birthday: { type: "string", title: "Birthday", format: "date" },
    meeting: { type: "string", title: "Meeting", format: "date-time" },
    size: { type: "string", title: "Size", enum: ["S", "M", "L"], default: "M" },
    colour: {
      type: "string",
      title: "Colour",
      oneOf: [
        { const: "#f00", title: "Red" },
        { const: "#00f", title: "Blue", description: "The colour of the sky" },
      ],
    },
    age: { type: "integer", title: "Age", minimum: 0, maximum: 150, default: 42 },
    height: { type: "number", title: "Height in metres", minimum: 0.3, maximum: 3 },
    subscribe: { type: "boolean", title: "Subscribe", default: false },
    toppings: {
      type: "array",
      title: "Toppings",
      items: { type: "string", enum: ["cheese", "ham", "olives"] },
      minItems: 1,
      maxItems: 2,
      default: ["cheese"],
    },
    languages: {
      type: "array",
      title: "Languages",
      items: {
        anyOf: [
          { const: "en", title: "English" },
          { const: "de", title: "German" },
        ],
      },
    },
  },
  required: ["name", "age"],
};

/** Asks the user to fill in a form. */
export const form: EverythingCommand = {
  name: "form",
  description: "Show the user a form with every kind of field",
  needs: "clientCapabilities.elicitation.form",
  async play(scene) {
    const message = "Please fill in this form. Nothing is stored.";
    const answer = await scene.turn.client.elicitForm({ message, requestedSchema });
    if (answer.action !== "accept") return scene.sendText(`You chose: ${answer.action}.`);
    const content = "content" in answer ? answer.content : undefined;
    await scene.sendText(`You answered:\n\n\`\`\`json\n${JSON.stringify(content ?? {}, undefined, 2)}\n\`\`\``);
  },
};
