// Section 5, GitHub: stars, forks, issues, clones, views and referrers of repositories.

import { addressBelow, fetchJson, listAt, numberAt, SourceError, textAt } from "../fetch-json.js";
import { bullets, reportTable } from "../section.js";
import { askEach, type Part, type SourceContext } from "../source.js";

interface Repository {
  row: (string | number)[];
  referrers: string | undefined;
  problems: string[];
}

export async function github({ config, keys, request }: SourceContext): Promise<Part | undefined> {
  const source = config.github;
  if (!source?.repos.length) return undefined;
  const headers = { authorization: `Bearer ${keys.need("GITHUB_TOKEN")}` };
  const get = (path: string) => fetchJson(addressBelow(source.api, path), { ...request, headers });

  const ask = async (name: string): Promise<Repository> => {
    const repository = await get(`/repos/${name}`);
    const stars = numberAt(repository, "stargazers_count");
    if (stars === undefined) throw new SourceError("GitHub sent no number of stars");
    const parts = ["clones", "views", "popular/referrers"];
    const settled = await Promise.allSettled(parts.map((part) => get(`/repos/${name}/traffic/${part}`)));
    const [clones, views, referrers] = settled.map((one) => (one.status === "fulfilled" ? one.value : undefined));
    const failed = parts.filter((_, i) => settled[i]!.status === "rejected");
    const shown = (value: number | undefined) => value ?? "?";
    const sites = listAt({ referrers }, "referrers")
      ?.slice(0, 5)
      .map((one) => `${textAt(one, "referrer") ?? "?"} ${numberAt(one, "count") ?? "?"}`);
    return {
      row: [
        name,
        stars,
        shown(numberAt(repository, "forks_count")),
        shown(numberAt(repository, "open_issues_count")),
        shown(numberAt(clones, "count")),
        shown(numberAt(views, "count")),
      ],
      referrers: sites?.length ? `${name} is found through ${sites.join(", ")}` : undefined,
      problems: failed.length ? [`${name}: no figures of ${failed.join(", ")} (they need push access)`] : [],
    };
  };

  const { found, problems } = await askEach(source.repos, (name) => name, ask);
  const head = ["Repository", "stars", "forks", "open issues and pulls", "clones, 14 days", "views, 14 days"];
  const referrers = found.flatMap((one) => one.referrers ?? []);
  return {
    blocks: [
      ...(found.length
        ? [
            reportTable(
              head,
              found.map(({ row }) => row),
            ),
          ]
        : []),
      ...(referrers.length ? [bullets(referrers)] : []),
    ],
    problems: [...problems, ...found.flatMap((one) => one.problems)],
  };
}
