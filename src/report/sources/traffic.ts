// Section 4, Website Traffic: page views and visitors of Cloudflare's zones in the last seven days.

import { addressBelow, dig, fetchJson, listAt, numberAt, SourceError, textAt } from "../fetch-json.js";
import { reportTable } from "../section.js";
import { askEach, type Part, type SourceContext } from "../source.js";

const query = `query($zone: String!, $from: Date!) { viewer { zones(filter: { zoneTag: $zone }) {
  httpRequests1dGroups(limit: 7, filter: { date_geq: $from }) { sum { pageViews } uniq { uniques } } } } }`;

export async function traffic({ config, keys, now, request }: SourceContext): Promise<Part | undefined> {
  const source = config.traffic;
  if (!source?.zones.length) return undefined;
  const headers = { authorization: `Bearer ${keys.need("CLOUDFLARE_API_TOKEN")}` };
  const from = new Date(now.getTime() - 6 * 86_400_000).toISOString().slice(0, 10);
  const ask = async ({ name, id }: { name: string; id: string }): Promise<(string | number)[]> => {
    const answer = await fetchJson(addressBelow(source.api, "/client/v4/graphql"), {
      ...request,
      method: "POST",
      headers,
      body: { query, variables: { zone: id, from } },
    });
    const days = listAt(answer, "data", "viewer", "zones", 0, "httpRequests1dGroups");
    const why = textAt(dig(answer, "errors", 0), "message");
    if (!days) throw new SourceError(why ? `Cloudflare says: ${why}` : "Cloudflare sent no figures");
    const sum = (...path: string[]) => days.reduce<number>((total, day) => total + (numberAt(day, ...path) ?? 0), 0);
    return [name, sum("sum", "pageViews"), sum("uniq", "uniques")];
  };
  const { found, problems } = await askEach(source.zones, ({ name }) => name, ask);
  // Visitors are counted per day: who comes on two days counts twice.
  const head = ["Domain, last 7 days", "page views", "daily visitors, summed"];
  return { blocks: found.length ? [reportTable(head, found)] : [], problems };
}
