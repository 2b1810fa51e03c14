/** A copy that may still be changed: its own members, not what they hold. */
export type Draft<T> = { -readonly [Key in keyof T]: T[Key] };
