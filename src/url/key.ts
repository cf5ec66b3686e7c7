/** The key of an address belongs to the page it names; it is kept there, below everything that knows of addresses. */
export { domainRange, hostOfSite, hostRange, keyOf, siteOf, siteOfKey, urlOf } from '../page/key.ts';
