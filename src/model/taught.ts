// What a user may say of a program in one word; each includes the ones before it.
export const taughtEffects = ["read", "write", "network"] as const;
export type TaughtEffect = (typeof taughtEffects)[number];
