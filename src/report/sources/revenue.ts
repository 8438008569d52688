// Section 2, Revenue: sales at LemonSqueezy and GitHub Sponsors.

import { addressBelow, fetchJson, listAt, numberAt, SourceError, textAt } from "../fetch-json.js";
import { paragraph, reportTable } from "../section.js";
import { type Part, type SourceContext, usd } from "../source.js";

const mostPages = 100;

/** Paid orders by day of the local calendar; refunded ones don't count. */
export async function lemonsqueezy({ config, keys, now, request }: SourceContext): Promise<Part | undefined> {
  const source = config.revenue?.lemonsqueezy;
  if (!source) return undefined;
  const headers = { authorization: `Bearer ${keys.need("LEMONSQUEEZY_API_KEY")}`, accept: "application/vnd.api+json" };
  const sums = { today: [0, 0], yesterday: [0, 0], week: [0, 0], all: [0, 0] };
  const day = (offset: number) => new Date(now.getFullYear(), now.getMonth(), now.getDate() + offset).getTime();
  const add = (to: number[], cents: number) => {
    to[0]!++;
    to[1]! += cents;
  };
  let cut = false;
  for (let page = 1; ; page++) {
    const query = `page%5Bsize%5D=100&page%5Bnumber%5D=${page}&sort=-createdAt`;
    const answer = await fetchJson(addressBelow(source.api, `/v1/orders?${query}`), { ...request, headers });
    const orders = listAt(answer, "data");
    if (!orders) throw new SourceError("LemonSqueezy sent no list of orders");
    for (const order of orders) {
      const cents = numberAt(order, "attributes", "total_usd");
      const made = Date.parse(textAt(order, "attributes", "created_at") ?? "");
      if (cents === undefined || !Number.isFinite(made))
        throw new SourceError("LemonSqueezy sent an order without total or date");
      if (textAt(order, "attributes", "status") !== "paid") continue;
      add(sums.all, cents);
      if (made >= day(-6)) add(sums.week, cents);
      if (made >= day(0)) add(sums.today, cents);
      else if (made >= day(-1)) add(sums.yesterday, cents);
    }
    const last = numberAt(answer, "meta", "page", "lastPage") ?? 1;
    if (page >= last || !orders.length) break;
    if (page === mostPages) {
      cut = true;
      break;
    }
  }
  const row = (name: string, [count, cents]: number[]) => [name, count!, usd(cents!)];
  const rows = [
    row("today", sums.today),
    row("yesterday", sums.yesterday),
    row("last 7 days", sums.week),
    row(cut ? `the newest ${mostPages * 100} orders` : "all time", sums.all),
  ];
  return { blocks: [reportTable(["Sales", "orders", "USD"], rows)] };
}

export async function sponsors({ config, keys, request }: SourceContext): Promise<Part | undefined> {
  const source = config.revenue?.sponsors;
  if (!source) return undefined;
  const query = `query($login: String!) { repositoryOwner(login: $login) { ... on Sponsorable {
    monthlyEstimatedSponsorsIncomeInCents sponsors { totalCount } } } }`;
  const answer = await fetchJson(addressBelow(source.api, "/graphql"), {
    ...request,
    method: "POST",
    headers: { authorization: `Bearer ${keys.need("GITHUB_TOKEN")}` },
    body: { query, variables: { login: source.login } },
  });
  const owner = ["data", "repositoryOwner"] as const;
  const count = numberAt(answer, ...owner, "sponsors", "totalCount");
  if (count === undefined) throw new SourceError("GitHub sent no number of sponsors");
  const cents = numberAt(answer, ...owner, "monthlyEstimatedSponsorsIncomeInCents");
  const income = cents === undefined ? "" : `, about ${usd(cents)} USD a month`;
  return { blocks: [paragraph(`GitHub Sponsors: ${count}${income}.`)] };
}
