// Section 6, Customer Intel: emails that wait, and bugs of high priority.

import { addressBelow, fetchJson, listAt, SourceError, textAt } from "../fetch-json.js";
import { bullets, paragraph } from "../section.js";
import { askEach, type Part, type SourceContext } from "../source.js";

const top = 5;

export async function pendingEmails({ config, keys, request }: SourceContext): Promise<Part | undefined> {
  const source = config.customers?.emails;
  if (!source) return undefined;
  const headers = { authorization: `Bearer ${keys.need("RESEND_API_KEY")}` };
  const answer = await fetchJson(addressBelow(source.api, "/emails/receiving?limit=100"), { ...request, headers });
  const emails = listAt(answer, "data");
  if (!emails) throw new SourceError("the mail service sent no list");
  const count = emails.length === 100 ? "100 or more" : String(emails.length);
  const first = emails.slice(0, top).map((one) => `${textAt(one, "from") ?? "?"}: ${textAt(one, "subject") ?? ""}`);
  return { blocks: [paragraph(`Pending emails: ${count}.`), ...(first.length ? [bullets(first)] : [])] };
}

export async function urgentBugs({ config, keys, request }: SourceContext): Promise<Part | undefined> {
  const source = config.customers?.bugs;
  if (!source?.repos.length) return undefined;
  const headers = { authorization: `Bearer ${keys.need("GITHUB_TOKEN")}` };
  const labels = encodeURIComponent(source.labels.join(","));
  const ask = async (name: string): Promise<string[]> => {
    const path = `/repos/${name}/issues?state=open&per_page=${top}&labels=${labels}`;
    const issues = listAt(
      { issues: await fetchJson(addressBelow(source.api, path), { ...request, headers }) },
      "issues",
    );
    if (!issues) throw new SourceError("GitHub sent no list of issues");
    return issues.map((one) => `${name}: ${textAt(one, "title") ?? "?"} (${textAt(one, "html_url") ?? "no address"})`);
  };
  const { found, problems } = await askEach(source.repos, (name) => name, ask);
  const bugs = found.flat().slice(0, top);
  const none = problems.length ? [] : [paragraph("No open bug of high priority.")];
  return { blocks: bugs.length ? [paragraph("Bugs of high priority:"), bullets(bugs)] : none, problems };
}
