-- One row per application, version, mode, source and day. No address, no cookie, no agent string.
CREATE TABLE IF NOT EXISTS downloads (
  app TEXT NOT NULL,
  version TEXT NOT NULL,
  mode TEXT NOT NULL,
  source TEXT NOT NULL,
  date TEXT NOT NULL,
  count INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (app, version, mode, source, date)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS downloads_by_date ON downloads (date);
