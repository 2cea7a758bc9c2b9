/**
 * Every figure of the API document (docs/spec/api.md section 8), in one place for client and
 * server.
 */
export const limits = {
  /** Requests per token and window, by class: read is GET (and HEAD), write everything else. */
  readsPerWindow: 120,
  writesPerWindow: 60,
  /** Requests without a valid token, per IP address and window. */
  rejectedPerWindow: 20,
  windowMs: 60_000,
  pageSize: 50,
  maxPageSize: 200,
  /** Forms and form responses. */
  maxFormPageSize: 100,
  maxAnalyticsDays: 365,
  analyticsDays: 30,
  analyticsTop: 10,
  maxAnalyticsTop: 100,
  maxPdfBytes: 20 * 1024 * 1024,
  maxLogoBytes: 2 * 1024 * 1024,
  maxFolderName: 150,
  codeSizePx: 220,
} as const;

/**
 * Limits that the document leaves open and our server sets. Clients must not rely on them: other
 * servers have others.
 */
export const ownLimits = {
  /** An `Idempotency-Key` is remembered at least 24 h. */
  idempotencyMs: 24 * 60 * 60 * 1000,
  maxIdempotencyKey: 200,
  maxDisplayName: 500,
  maxFileName: 255,
  maxUrl: 4096,
  /** More than any QR code holds (7,089 digits); the encoder decides. */
  maxText: 7089,
  maxVcardField: 500,
  /** Depth of folders: every answer contains the whole breadcrumb. */
  maxFolderDepth: 100,
  maxTagTitle: 255,
  maxTagsPerRequest: 1000,
  maxFrameText: 200,
  /** The size of what is drawn, in pixels. */
  minCodeSizePx: 40,
  maxCodeSizePx: 5000,
  maxSearch: 500,
  /** Landing pages and forms. */
  maxTitle: 500,
  maxDescription: 5000,
  maxLinkType: 50,
  maxPageLinks: 100,
  maxLabel: 500,
  maxFormFields: 200,
  maxFieldOptions: 200,
  /**
   * Answers to one form from one address, per window: all people in a building may share an address.
   */
  submissionsPerWindow: 300,
  /** Messages of an assistant, per token and window, in addition to the requests of its tools. */
  messagesPerWindow: 300,
  /** A JSON body; uploads of PDFs and logos get more, for base64. */
  maxBodyBytes: 1024 * 1024,
  maxLogoBodyBytes: 4 * 1024 * 1024,
  maxPdfBodyBytes: 29 * 1024 * 1024,
} as const;

export type RequestClass = "read" | "write";
