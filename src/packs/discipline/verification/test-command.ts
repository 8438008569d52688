// The command that runs this project's tests, found from its files.
// Invariant: reads only, starts no process; undefined if no file tells.
import type { Project } from "../../../model/gate.js";
import { isObject, type JsonObject } from "../../../model/json.js";

export function testCommand(project: Project): string | undefined {
  const script = npmTest(project.read("package.json"));
  if (script) return script;
  if (project.exists("Cargo.toml")) return "cargo test";
  if (project.exists("go.mod")) return "go test ./...";
  if (
    project.exists("pytest.ini") ||
    project.exists("tox.ini") ||
    project.exists("conftest.py") ||
    /\bpytest\b/.test(project.read("pyproject.toml") ?? "")
  )
    return "pytest";
  if (/^test:/m.test(project.read("Makefile") ?? "")) return "make test";
  if (project.exists("Package.swift")) return "swift test";
  if (project.exists("build.gradle") || project.exists("build.gradle.kts")) return "gradle test";
  if (project.exists("pom.xml")) return "mvn test";
  if (project.exists("mix.exs")) return "mix test";
  return undefined;
}

function npmTest(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  try {
    const file = JSON.parse(text) as JsonObject;
    const scripts = isObject(file["scripts"]) ? file["scripts"] : {};
    const test = scripts["test"];
    return typeof test === "string" && test.trim() && !/no test specified/.test(test) ? "npm test" : undefined;
  } catch {
    // A package.json that does not parse tells nothing.
    return undefined;
  }
}
