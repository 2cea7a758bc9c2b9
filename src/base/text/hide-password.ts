/** An address without the name and password in it, for messages and lists. */
export const hidePassword = (text: string): string => text.replace(/\/\/[^/?#\s]*@/u, "//…@");
