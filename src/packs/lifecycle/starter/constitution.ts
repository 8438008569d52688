// The constitution a project starts with: twelve articles in our own words. The project owns and edits it.

export interface Article {
  number: string;
  title: string;
  text: string;
}

export const starterArticles: readonly Article[] = [
  {
    number: "I",
    title: "Specification first",
    text: "What is built is written down before, and the code does what is written. A change of mind changes both.",
  },
  {
    number: "II",
    title: "Test first",
    text: "Each behaviour has a test that failed before the code existed. A test that can't fail is removed.",
  },
  {
    number: "III",
    title: "Security by design",
    text: "Input is hostile, secrets stay out of code and logs, permissions are the smallest that work.",
  },
  {
    number: "IV",
    title: "Explicit over implicit",
    text: "Assumptions, units, defaults and open questions are written down where the reader needs them.",
  },
  {
    number: "V",
    title: "Simplicity",
    text: "The simplest thing that meets the requirement. No part without a present use.",
  },
  { number: "VI", title: "Review", text: "Nobody merges unreviewed work. A review names files and lines." },
  {
    number: "VII",
    title: "Traceability",
    text: "From each requirement one can find its design, code and tests, and back.",
  },
  {
    number: "VIII",
    title: "Current documents",
    text: "Documents change together with what they describe. A wrong document is a defect.",
  },
  {
    number: "IX",
    title: "Gate integrity",
    text: "Gates are passed by doing the work, not by editing state, skipping tests or rewording reports.",
  },
  {
    number: "X",
    title: "Safe failure",
    text: "Errors are handled where they happen, said plainly, and leave data and users safe.",
  },
  {
    number: "XI",
    title: "Integration tests",
    text: "What works alone is also tested together, through the interfaces that users and other systems use.",
  },
  {
    number: "XII",
    title: "Rules of the domain",
    text: "Laws, licences and contracts that apply are listed here, and the work is checked against them: (none yet)",
  },
];

export const constitutionText = (): string => `# Constitution

What every change in this project is measured by. This file is yours: edit it. The numbers are what the phases'
gates ask for (\`interlock lifecycle validate --articles I,IV\`).

${starterArticles.map(({ number, title, text }) => `## ${number}. ${title}\n\n${text}\n`).join("\n")}`;
