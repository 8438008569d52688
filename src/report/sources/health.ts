// Section 7, Health: whether each address answers. One line when all do.

import { fetchText, SourceError } from "../fetch-json.js";
import { bullets, paragraph } from "../section.js";
import { askEach, type Part, type SourceContext } from "../source.js";

export async function healthChecks({ config, request }: SourceContext): Promise<Part | undefined> {
  if (!config.health?.length) return undefined;
  const ask = async ({ url }: { url: string }): Promise<void> => {
    const { status } = await fetchText(url, request);
    // An address that wants a key answers 401 or 403: it is up.
    if (status >= 500 || status === 404) throw new SourceError(`status ${status}`);
  };
  const { found, problems } = await askEach(config.health, ({ name }) => name, ask);
  const all = config.health.length;
  if (!problems.length) return { blocks: [paragraph(`All ${all} addresses answer.`)] };
  return { blocks: [paragraph(`${found.length} of ${all} addresses answer. Down:`), bullets(problems)] };
}
