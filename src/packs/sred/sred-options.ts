// The options of the sred pack as its gates get them.
export interface SredOptions {
  /** Where the history does not decide, `interlock sred suggest` asks a model through the Claude Agent SDK. */
  model: boolean;
}

export const standardSredOptions: SredOptions = { model: false };
