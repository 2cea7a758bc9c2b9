/** The newest steps of `migrations.ts`, which says what a step is. */
export const laterSteps: readonly string[] = [
  // Tokens have names, may be for reading only, may end, and tell when they were used last.
  `
  ALTER TABLE tokens ADD COLUMN name TEXT NOT NULL DEFAULT '';
  ALTER TABLE tokens ADD COLUMN read_only INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE tokens ADD COLUMN expires BIGINT;
  ALTER TABLE tokens ADD COLUMN used BIGINT;
  CREATE INDEX tokens_account ON tokens(account_id, created);
  `,
];
