/** A prompt that was sent. */
export interface SentPrompt {
  /** Cancels a prompt that the agent has not added to the conversation. */
  withdraw(): void;
}
