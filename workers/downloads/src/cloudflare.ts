// The parts of Cloudflare's R2, D1 and execution context that the worker uses.

export interface StoredFile {
  size: number;
  httpEtag: string;
  uploaded: Date;
  httpMetadata?: { contentType?: string };
}

export interface StoredBody extends StoredFile {
  body: ReadableStream;
}

export interface Bucket {
  head(key: string): Promise<StoredFile | null>;
  get(key: string, options?: { range?: { offset: number; length: number } }): Promise<StoredBody | null>;
}

export interface Statement {
  bind(...values: (string | number)[]): Statement;
  run(): Promise<unknown>;
  all<Row>(): Promise<{ results: Row[] }>;
}

export interface Database {
  prepare(sql: string): Statement;
}

export interface Context {
  waitUntil(work: Promise<unknown>): void;
}

export interface Environment {
  FILES: Bucket;
  DB: Database;
  /** Which applications there are; see apps.ts. */
  APPS: unknown;
  /** The bearer key of /api/stats, set with `wrangler secret put`. */
  ANALYTICS_API_KEY?: string;
}
