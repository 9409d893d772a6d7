import { createContext } from 'react';

/** Level of a heading at this place: a page has 1 and a panel 2. */
export const HeadingLevel = createContext<2 | 3>(2);
