import type { Finding } from "../rules/finding.ts";
import { sharedProver } from "../proof/proof-pool.ts";
import { type PictureClaim, type PicturesProof, ProofEnded, type Prover } from "../proof/prover.ts";

/** A picture, with its row. */
export interface ArtworkFile extends PictureClaim {
  /** Whether another text is as good as the payload: servers may write it in their own way. */
  readonly means?: ((text: string) => boolean) | undefined;
  readonly key?: string | undefined;
}

export interface ArtworkProof {
  readonly files: number;
  readonly decoded: number;
  readonly findings: readonly Finding[];
}

export interface ArtworkOptions {
  /** The prover. Default: threads of this process. */
  readonly prover?: Prover | undefined;
  /** How many there are, as far as known: many are read in several threads. */
  readonly among?: number | undefined;
}

function toFindings(artwork: readonly ArtworkFile[], proof: PicturesProof): Finding[] {
  return artwork.flatMap(({ file, key, means }, index): Finding[] => {
    const flaw = proof[index];
    if (flaw === undefined || (flaw.text !== undefined && means?.(flaw.text) === true)) return [];
    const { rule, message } = flaw;
    return [{ severity: "error", rule, message, file, key }];
  });
}

/**
 * Decodes PNG and SVG files and compares each with its payload. A few files are in memory at a
 * time; never throws for a faulty file: missing, damaged, empty, unreadable and mismatching are
 * findings.
 */
export async function verifyArtwork(
  files: AsyncIterable<ArtworkFile> | Iterable<ArtworkFile>,
  { prover = sharedProver(), among }: ArtworkOptions = {},
): Promise<ArtworkProof> {
  const portions = prover.portions({ pictures: among ?? 0 });
  const findings: Finding[] = [];
  const begun: Promise<Finding[]>[] = [];
  let task: ArtworkFile[] = [];
  let count = 0;
  const endFirst = async (): Promise<void> => void findings.push(...((await begun.shift()) ?? []));
  const begin = (): void => {
    const artwork = task;
    task = [];
    const pictures = artwork.map(({ file, payload, sha256 }) => ({ file, payload, sha256 }));
    const proving = prover.pictures({ pictures, among });
    const found = proving.then(
      (proof) => toFindings(artwork, proof),
      (error: unknown) => {
        throw error instanceof ProofEnded ? error.cause : error;
      },
    );
    // Awaited below; until then its error must not count as unhandled.
    found.catch(() => undefined);
    begun.push(found);
  };
  for await (const artwork of files) {
    count += 1;
    task.push(artwork);
    if (task.length < portions.pictures) continue;
    begin();
    if (begun.length >= portions.atOnce) await endFirst();
  }
  if (task.length > 0) begin();
  while (begun.length > 0) await endFirst();
  return { files: count, decoded: count - findings.length, findings };
}
