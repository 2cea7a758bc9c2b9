const NOBODYS = /^(?:\.ds_store|\._.*|thumbs\.db|desktop\.ini|@eadir)$/iu;

/** What file managers and network drives put into any folder. */
export const isNobodys = (name: string): boolean => NOBODYS.test(name);
