/** Between the values of a cell, as Google writes contacts with several numbers or addresses. */
export const BETWEEN_MANY = " ::: ";
