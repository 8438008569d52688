// Opens the project the command is run in, for commands a person types.
import { dirname } from "node:path";
import { type Opened, open } from "../../hook/open-project.js";
import { realFile } from "./own-name.js";

/** Bumped when the form of any --json output changes incompatibly. */
export const schemaVersion = 1;

/** The folder of the installed package. The command a person types is a link to it. */
export const packageDir = (): string => dirname(dirname(realFile(process.argv[1] ?? "")));

export const openHere = (values: { cwd?: string; home?: string } = {}): Promise<Opened> =>
  open(values.cwd ?? process.cwd(), { env: process.env, home: values.home, packageDir: packageDir() });

export const printJson = (value: object): void =>
  console.log(JSON.stringify({ schema: schemaVersion, ...value }, null, 2));
