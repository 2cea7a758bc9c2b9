/**
 * Every figure of the API document (docs/spec/api.md section 8), in one place for client and
 * server.
 */
export const limits = {
  /** Requests a token may send per window, by class: read is GET (and HEAD), write all else. */
  readsPerWindow: 120,
  writesPerWindow: 60,
  /** Requests with no token or a rejected one, per IP address and window. */
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
 * Figures that the document leaves open and our server sets. A client must not rely on them:
 * other servers have other ones.
 */
export const ownLimits = {
  /** The 24 h that an `Idempotency-Key` is remembered at least. */
  idempotencyMs: 24 * 60 * 60 * 1000,
  maxIdempotencyKey: 200,
  maxDisplayName: 500,
  maxFileName: 255,
  maxUrl: 4096,
  /** More than any QR code holds (7,089 digits); the encoder has the last word. */
  maxText: 7089,
  maxVcardField: 500,
  /** Folders in folders: the breadcrumb of each is in every answer. */
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
  /** Answers to one form from one address, per window: a hall of people has one address. */
  submissionsPerWindow: 300,
  /** Messages of an assistant, per token and window, beside the reads and writes of its tools. */
  messagesPerWindow: 300,
  /** A JSON body; PDF and logo uploads have room for base64 beside it. */
  maxBodyBytes: 1024 * 1024,
  maxLogoBodyBytes: 4 * 1024 * 1024,
  maxPdfBodyBytes: 29 * 1024 * 1024,
} as const;

export type RequestClass = "read" | "write";
