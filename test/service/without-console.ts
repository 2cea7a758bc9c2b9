/** Takes a store back to what it was before it knew the console and void codes: for tests of older stores. */
export const WITHOUT_CONSOLE = `
  DROP TABLE void_codes;
  DROP TRIGGER codes_led_elsewhere; DROP TRIGGER codes_restyled; DROP TRIGGER codes_forgotten;
  DROP TABLE code_history; DROP TABLE console_sessions; DROP INDEX codes_pdf;
  ALTER TABLE oauth_grants DROP COLUMN created; ALTER TABLE oauth_grants DROP COLUMN used;
  ALTER TABLE webhook_deliveries DROP COLUMN body;
  ALTER TABLE codes DROP COLUMN capitals;
`;
