// The first interlock.yaml of a project: comments for whoever opens it, the schema for their editor.
// Invariant: it enforces what holds without it; only the preset that was asked for differs.

export const schemaAddress = "https://unpkg.com/agent-interlock/schema/interlock.schema.json";

export const starterText = (preset = "standard"): string => `# yaml-language-server: $schema=${schemaAddress}
# What Interlock enforces in this project. Check it with: interlock config check
# It may tighten what each user has set; to loosen that, each of them has to agree: interlock trust
version: 1

# Refuse calls on machines where Interlock is not installed (for entries of \`interlock init --scope project\`):
# required: true

packs:
  # guard refuses irreversible loss, leaked secrets and tampering. Presets: standard, strict, paranoid
  guard:
    preset: ${preset}
  # discipline: research before edits, a stop after repeated failures, tests before "done".
  # Modes: observe records, warn tells the agent, enforce refuses
  discipline:
    mode: observe

# Your own rules; see the README:
# rules:
#   - on: write
#     where: "src/**"
#     match: "console\\\\.log"
#     action: deny
#     message: source files use the logger
`;
