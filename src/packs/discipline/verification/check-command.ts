// What there is to run where the test command finds no test: a build, a type check or lint.
import type { Project } from "../../../model/gate.js";
import { managerOf } from "./test-command.js";

/** In the package of the file, as it is run from the project's root; undefined if no file tells one. */
export function checkCommand(project: Project, file: string): string | undefined {
  for (let folder = file; folder !== ""; ) {
    folder = folder.includes("/") ? folder.slice(0, folder.lastIndexOf("/")) : "";
    const at = (name: string) => (folder === "" ? name : `${folder}/${name}`);
    const script = /"(build|typecheck|type-check|check|lint)"\s*:\s*"[^"]/.exec(
      project.read(at("package.json")) ?? "",
    )?.[1];
    const other = builders.find(([name]) => project.exists(at(name)))?.[1];
    const command = script ? `${managerOf(project, folder)} run ${script}` : other;
    if (command) return folder === "" ? command : `cd ${folder} && ${command}`;
    if (project.exists(at("package.json"))) return undefined;
  }
  return undefined;
}

const builders = [
  ["go.mod", "go build ./..."],
  ["Cargo.toml", "cargo check"],
  ["Package.swift", "swift build"],
  ["tsconfig.json", "npx tsc --noEmit"],
] as const;
