// Answers that say there is nothing are no research, whoever gives them and however; answers that mention a missing
// thing are. All rows were written before any was played.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Event } from "../../src/model/event.js";
import type { JsonObject } from "../../src/model/json.js";
import { hasContent } from "../../src/packs/discipline/research/answer-content.js";
import { type Agent, play } from "./agent.js";
import { edit, other, spawnedHook } from "./story.js";

type Category = "docs" | "web" | "github" | "local";
type Row = [category: Category, tool: string, input: JsonObject, response: JsonObject | string];

const mcp = (text: string): JsonObject => ({ content: [{ type: "text", text }] });
const found = (content: unknown[], ...words: string[]): JsonObject => ({
  query: "q",
  results: [{ tool_use_id: "srvtoolu_1", content }, ...words] as never,
  durationSeconds: 1.2,
});
const bash = (stdout: string): JsonObject => ({ stdout, stderr: "", interrupted: false });
const page = (result: string, code = 200): JsonObject => ({ code, result, bytes: 10, durationMs: 5, url: "u" });
const q = { query: "retry with backoff" };
const resolve = "mcp__context7__resolve-library-id";
const docs = "mcp__context7__get-library-docs";

const empty: Row[] = [
  // Context7
  ["docs", resolve, { libraryName: "zzz" }, mcp("No libraries found matching 'zzz'.")],
  ["docs", resolve, { libraryName: "zzz" }, mcp("No libraries found matching the provided name.")],
  ["docs", docs, { id: "/a/b" }, mcp("Documentation not found or not finalized for this library.")],
  ["docs", docs, { id: "/a/b" }, mcp("No documentation available for this topic.")],
  ["docs", docs, { id: "/a/b" }, mcp("Failed to fetch library documentation data from Context7")],
  ["docs", docs, { id: "/a/b" }, [{ type: "text", text: "" }] as never],
  ["docs", "mcp__docs-server__search", q, mcp('{"results": [], "total": 0}')],
  ["docs", "mcp__docs-server__search", q, mcp('{"hits":{"total":{"value":0},"hits":[]}}')],
  ["docs", "mcp__docs-server__search", q, mcp("[]")],
  ["docs", "mcp__docs-server__search", q, mcp("{}")],
  ["docs", "mcp__docs-server__search", q, mcp("null")],
  ["docs", "mcp__docs-server__search", q, mcp("```json\n[]\n```")],
  ["docs", "mcp__docs-server__search", q, mcp("Results:\n\n(none)")],
  // Search services
  ["web", "mcp__brave-search__brave_web_search", q, mcp("No results found")],
  ["web", "mcp__brave-search__brave_web_search", q, mcp("No web results found")],
  ["web", "mcp__tavily__tavily_search", q, mcp('{"query":"retry","results":[],"response_time":0.4}')],
  ["web", "mcp__tavily-mcp__tavily-search", q, mcp("Detailed Results:\n")],
  ["web", "mcp__exa__web_search_exa", q, mcp("No search results found. Please try a different query.")],
  ["web", "mcp__exa__web_search_exa", q, mcp('{"requestId":"b5947044c4b78efa9552a7c89b306d95","results":[]}')],
  ["web", "mcp__perplexity__search", q, mcp("I couldn't find any information about that.")],
  ["web", "mcp__firecrawl__firecrawl_search", q, mcp('{"success":true,"data":[]}')],
  // The client's own tools
  ["web", "WebSearch", q, found([])],
  ["web", "WebSearch", q, found([], "I could not find anything about this.")],
  ["web", "WebSearch", q, found([], "No results found for this query.")],
  ["web", "WebSearch", q, found([], "The search returned no relevant results.")],
  ["web", "WebSearch", q, { query: "q", results: [], durationSeconds: 1 }],
  ["web", "WebSearch", q, { query: "q", results: ["Web search error: unavailable"], durationSeconds: 1 }],
  ["web", "WebFetch", { url: "https://a.example/x", prompt: "p" }, page("")],
  ["web", "WebFetch", { url: "https://a.example/x", prompt: "p" }, page("Not found", 404)],
  ["web", "WebFetch", { url: "https://a.example/x", prompt: "p" }, page("The page could not be found.")],
  ["web", "WebFetch", { url: "https://a.example/x", prompt: "p" }, page("404: Not Found")],
  ["web", "WebFetch", { url: "https://a.example/x", prompt: "p" }, page("I don't see any content on this page.")],
  [
    "web",
    "WebFetch",
    { url: "https://a.example/x", prompt: "p" },
    page("The provided content does not contain any information about retries."),
  ],
  ["web", "WebFetch", { url: "https://a.example/x", prompt: "p" }, page("The web page content is empty.")],
  // Localised
  ["web", "WebFetch", { url: "https://a.example/x", prompt: "p" }, page("Keine Ergebnisse gefunden.")],
  ["web", "WebFetch", { url: "https://a.example/x", prompt: "p" }, page("Seite nicht gefunden")],
  ["web", "WebFetch", { url: "https://a.example/x", prompt: "p" }, page("Aucun résultat trouvé pour cette requête.")],
  ["web", "WebFetch", { url: "https://a.example/x", prompt: "p" }, page("No se encontraron resultados.")],
  ["web", "WebFetch", { url: "https://a.example/x", prompt: "p" }, page("Nenhum resultado encontrado.")],
  ["web", "WebFetch", { url: "https://a.example/x", prompt: "p" }, page("Nessun risultato trovato per la ricerca.")],
  [
    "web",
    "WebFetch",
    { url: "https://a.example/x", prompt: "p" },
    page("結果が見つかりませんでした。別のキーワードでお試しください。"),
  ],
  [
    "web",
    "WebFetch",
    { url: "https://a.example/x", prompt: "p" },
    page("未找到相关结果，请尝试其他关键词后再进行搜索查询操作。"),
  ],
  [
    "web",
    "WebFetch",
    { url: "https://a.example/x", prompt: "p" },
    page("검색 결과가 없습니다. 다른 검색어를 입력해 주세요."),
  ],
  ["web", "WebFetch", { url: "https://a.example/x", prompt: "p" }, page("Ничего не найдено по вашему запросу.")],
  // GitHub
  ["github", "Bash", { command: "gh search code retry --limit 5" }, bash("")],
  ["github", "Bash", { command: "gh search repos zzzz" }, bash("no repositories matched your search\n")],
  ["github", "Bash", { command: "gh issue list --search zzz" }, bash("no issues match your search in o/r\n")],
  ["github", "Bash", { command: "gh search issues zzz --json title" }, bash("[]\n")],
  [
    "github",
    "Bash",
    { command: "gh api 'search/code?q=zzz'" },
    bash('{"total_count":0,"incomplete_results":false,"items":[]}\n'),
  ],
  ["github", "Bash", { command: "gh api 'search/code?q=zzz' --jq '.items[].path'" }, bash("\n\n")],
  ["github", "mcp__github__search_code", { q: "zzz" }, mcp('{"total_count":0,"incomplete_results":false,"items":[]}')],
  ["github", "mcp__github__search_repositories", { q: "z" }, mcp('{"total_count":0,"items":[]}')],
  ["github", "mcp__github__list_issues", { repo: "r" }, mcp("[]")],
  ["github", "WebFetch", { url: "https://github.com/o/r", prompt: "p" }, page("We couldn’t find any code matching.")],
  ["github", "WebFetch", { url: "https://github.com/search", prompt: "p" }, page("Your search did not match any code")],
];

const real: Row[] = [
  [
    "docs",
    resolve,
    { libraryName: "express" },
    mcp("Available Libraries (top matches):\n\n- Title: Express\n- ID: /x/y"),
  ],
  ["docs", docs, { id: "/a/b" }, mcp("### Errors\nA NotFoundError is raised when the key was not found in the store.")],
  ["docs", "mcp__docs-server__search", q, mcp('{"results":[{"title":"Retry"}],"total":1,"errors":[]}')],
  [
    "docs",
    "mcp__docs-server__read",
    q,
    mcp("No-op when nothing changed: `sync()` returns null if no items are stale."),
  ],
  ["web", "mcp__brave-search__brave_web_search", q, mcp("Title: Backoff\nDescription: how to\nURL: https://a.example")],
  ["web", "mcp__tavily__tavily_search", q, mcp('{"results":[{"title":"A","url":"u","content":"Use jitter."}]}')],
  ["web", "mcp__exa__web_search_exa", q, mcp('{"results":[{"title":"A","text":"Use jitter with retries."}]}')],
  ["web", "WebSearch", q, found([{ title: "Retry done right", url: "https://a.example" }])],
  ["web", "WebSearch", q, found([{ title: "404 Not Found explained", url: "https://a.example" }], "It means no page.")],
  [
    "web",
    "WebSearch",
    q,
    found([], "Exponential backoff waits twice as long each time; add jitter so clients spread."),
  ],
  [
    "web",
    "WebFetch",
    { url: "https://a.example/x", prompt: "p" },
    page("When the file is not found, open() raises FileNotFoundError; catch it and create the file."),
  ],
  [
    "web",
    "WebFetch",
    { url: "https://a.example/x", prompt: "p" },
    page("The function returns an empty list when no results match. Call it with limit=10 to page through them."),
  ],
  [
    "web",
    "WebFetch",
    { url: "https://a.example/x", prompt: "p" },
    page("There are no breaking changes in 3.2. The option `retry` was added; it takes a number."),
  ],
  [
    "web",
    "WebFetch",
    { url: "https://a.example/x", prompt: "p" },
    page("No data is lost on a crash: the journal is replayed at the next start of the server."),
  ],
  [
    "web",
    "WebFetch",
    { url: "https://a.example/x", prompt: "p" },
    page("Der Fehler 'nicht gefunden' heißt: der Pfad fehlt. Lege den Ordner mit mkdir an und starte neu."),
  ],
  [
    "github",
    "Bash",
    { command: "gh release view v2.4.1 --json name,tagName,isDraft" },
    bash('{"isDraft":false,"name":"2.4.1","tagName":"v2.4.1"}\n'),
  ],
  ["github", "Bash", { command: "gh search code retry" }, bash("o/r:src/retry.ts: export function retry()\n")],
  [
    "github",
    "Bash",
    { command: "gh issue view 12 -R o/r" },
    bash("title:\tModule not found\nstate:\tOPEN\n--\nfails on 3.2\n"),
  ],
  [
    "github",
    "Bash",
    { command: "gh search issues 'no results' --json title" },
    bash('[{"title":"No results shown"}]\n'),
  ],
  ["github", "mcp__github__search_code", { q: "r" }, mcp('{"total_count":1,"items":[{"path":"src/retry.ts"}]}')],
  ["github", "mcp__github__get_issue", { n: 1 }, mcp('{"title":"Not found error","body":"It fails","labels":[]}')],
  ["local", "Grep", { pattern: "not found", path: "src" }, { mode: "content", content: "src/a.ts:1: not found" }],
  ["local", "Glob", { pattern: "src/**" }, { filenames: ["src/a.ts"], numFiles: 1, durationMs: 3, truncated: false }],
  ["local", "Bash", { command: "rg -n 'No results' src" }, bash("src/a.ts:3: No results found\n")],
  ["local", "Read", { file_path: "src/a.ts" }, { type: "text", file: { filePath: "src/a.ts", content: "none\n" } }],
];

/** Whether the next change is open: only the row's category is asked for. */
async function counts(a: Agent, [, tool, input, response]: Row): Promise<boolean> {
  await a.prompt(other);
  await a.call(tool, "file_path" in input ? { file_path: `${a.root}/${input["file_path"]}` } : input, response);
  return (await edit(a)).outcome === "pass";
}

const agentFor = (t: Parameters<typeof play>[0], [category]: Row): Agent =>
  play(t, {
    gates: ["research"],
    options: { research: { require: [category], depth: "full" } },
    ...(process.env["SPAWNED"] && { ask: spawnedHook }),
  });

for (const [name, rows, wanted] of [
  ["answers that say there is nothing are no research", empty, false],
  ["answers that mention a missing thing are research", real, true],
] as const)
  test(name, async (t) => {
    const wrong: string[] = [];
    for (const row of rows)
      if ((await counts(agentFor(t, row), row)) !== wanted)
        wrong.push(`${row[1]}: ${JSON.stringify(row[3]).slice(0, 160)}`);
    assert.deepEqual(wrong, []);
  });

test("a search of the code that finds nothing is neither an error nor a look", async (t) => {
  for (const row of [
    ["local", "Grep", { pattern: "zzz" }, { mode: "content", content: "", numLines: 0 }],
    ["local", "Grep", { pattern: "zzz" }, { mode: "files_with_matches", filenames: [], numFiles: 0 }],
    ["local", "Glob", { pattern: "**/*.zzz" }, { filenames: [], numFiles: 0, durationMs: 1, truncated: false }],
    ["local", "Bash", { command: "rg zzz src || true" }, bash("")],
  ] as Row[])
    assert.equal(await counts(agentFor(t, row), row), false, `${row[1]} ${JSON.stringify(row[2])}`);
});

const answer = (text: string): Event =>
  ({ outcome: { ok: true, text }, tool: { input: { query: "how to retry" } } }) as unknown as Event;
const alsoEmpty = [
  "Sorry, we couldn't find what you're looking for.",
  '0 results for "retry storm"',
  "Your search - asdfqwer - did not match any documents.",
  "No matching packages found on npm.",
  "Library not found. Please check the library ID.",
  "There aren't any results that match your query.",
  "We have no entries about this topic yet.",
  "The tool returned nothing useful.",
  "No relevant search results were found for your query. Try rephrasing it.",
  "I'm unable to find relevant documentation on this.",
  '{"status":"ok","query":"how to retry","count":0,"results":[]}',
  '{"data":{"search":{"edges":[],"pageInfo":{"hasNextPage":false}}}}',
  '{"error":"Not found"}  ',
  '{"message":"Not Found","documentation_url":"https://docs.github.com/rest","status":"404"}',
  "Error: Request failed with status code 404",
  "This page doesn't exist. Go back to the homepage.",
  "Based on the content provided, there is no information about retry behaviour.",
  "Oops! That page can’t be found.",
  "Search results for how to retry:\n\nNo results.",
  "Pas de résultats pour cette recherche.",
];
const alsoReal = [
  "Use `p-retry`; it retries 3 times by default.",
  "Retries are not enabled by default; pass { retries: 3 }.",
  "No. fetch() does not retry; wrap it yourself.",
  "The method never returns null; an empty array means no matches.",
  "Content-Type must not be empty for POST requests.",
  '{"name":"p-retry","version":"6.2.0","keywords":[]}',
  '[{"number":12,"title":"Not found"}]',
  '{"total":1,"results":[{"id":4}]}',
  "Set NOT_FOUND_PAGE to the path of your 404 page.",
  "Error handling in Go is explicit: functions return an error value.",
  "404 pages are configured in next.config.js under `errors`.",
  "Nothing else is required: the polyfill patches fetch globally.",
  "There is no need to call close() since version 2.",
  "Changed in 3.9: no longer raises on missing files.",
  "Zero or more arguments may be given to `join`.",
  "README.md\nsrc/index.ts\nNo license file found in this repository",
];

test("a second set, written after the first was mended", () => {
  const wrong = (rows: string[], wanted: boolean) => rows.filter((text) => hasContent(answer(text), false) !== wanted);
  assert.deepEqual([wrong(alsoEmpty, false), wrong(alsoReal, true)], [[], []]);
});
