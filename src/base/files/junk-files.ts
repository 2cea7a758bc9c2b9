const JUNK = /^(?:\.ds_store|\._.*|thumbs\.db|desktop\.ini|@eadir)$/iu;

/** What file managers and network drives put into any folder. */
export const isJunkFile = (name: string): boolean => JUNK.test(name);
