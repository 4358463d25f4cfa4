// What surrounds the content on most pages: navigation, footers, banners, asides. Told by tag, role, name and links, never by
// site; each sign yields when the element holds most of the page.

import { childrenOf, type DomElement, isElement, namesOf } from "./dom.ts";
import type { Amounts } from "./measures.ts";

const ROLES = new Set([
  "navigation",
  "banner",
  "contentinfo",
  "search",
  "dialog",
  "alertdialog",
  "menu",
  "menubar",
  "toolbar",
  "complementary",
  "status",
]);

const part = (words: string) => new RegExp(`(?:^|[\\s_-])(?:${words})(?:$|[\\s_-])`);

const NAMES = part(
  "nav|navbar|navigation|navi|menu|submenu|megamenu|topbar|breadcrumbs?|crumbs|footer|foot|footnav|masthead|site-?header|page-?header-nav|sidebar|side-?bar|aside|sidenav|" +
    "cookies?|consent|gdpr|privacy-banner|newsletter|subscribe|subscription|signup|sign-up|optin|mailchimp|login|" +
    "share|sharing|sharedaddy|social|socials|follow-us|addtoany|addthis|" +
    "related|related-?posts|recommended|recommendations|read-?next|also-?like|more-?from|up-?next|you-?may|trending|popular|most-?read|" +
    "ads?|advert|advertisement|adsbygoogle|banner-ad|sponsor|sponsored|promo|outbrain|taboola|" +
    "pagination|pager|paginator|post-?navigation|nav-links|toc-?nav|skip|popup|modal|overlay|lightbox|tooltip|toast|offcanvas|drawer|" +
    "widget|widgets|tags|tagcloud|tag-list|post-tags|author-?box|author-?bio|about-author|print|feedback|search-?form|searchbox|copyright|legal|disclaimer-bar",
);
const COMMENTS = part("comments?|comment-?list|disqus|respond|reply-form|discussion-thread");

export interface BoilerplateOptions {
  comments: boolean;
}

/** The elements to leave out, outermost ones only. */
export function findBoilerplate(
  root: DomElement,
  amounts: Amounts,
  options: BoilerplateOptions,
): Set<DomElement> {
  const total = amounts.of(root).text;
  const found = new Set<DomElement>();
  const visit = (element: DomElement) => {
    for (const child of childrenOf(element)) {
      if (!isElement(child)) continue;
      if (isBoilerplate(child, amounts, total, options)) found.add(child);
      else visit(child);
    }
  };
  visit(root);
  return found;
}

function isBoilerplate(
  element: DomElement,
  amounts: Amounts,
  total: number,
  options: BoilerplateOptions,
): boolean {
  const name = element.localName;
  if (
    /^(?:main|article|pre|code|table|tr|td|th|tbody|h[1-6]|p|li|a|em|strong|b|i|img|figure|blockquote|body)$/.test(
      name,
    )
  )
    return false;
  const { text, prose, linked } = amounts.of(element);
  if (text === 0) return false;
  const share = text / total;
  if (name === "nav" || name === "footer" || name === "aside") {
    if (
      name === "aside" &&
      element.closest("article, main") &&
      prose > 0.6 * text &&
      share < 0.3 &&
      !NAMES.test(namesOf(element))
    )
      return false;
    return share < 0.5 && !(name !== "nav" && prose > 0.35 * amounts.of(element.closest("body")!).prose);
  }
  const role = element.getAttribute("role");
  if (role && ROLES.has(role)) return share < 0.5;
  if (name === "header") {
    if (element.querySelector("h1")) return false;
    return !element.closest("article, main, section") && share < 0.3;
  }
  if (name === "form") return prose < 0.3 * text && share < 0.3;
  const names = namesOf(element);
  if (NAMES.test(names)) return share < 0.3 && prose < 0.35 * amounts.of(element.closest("body")!).prose;
  if (!options.comments && COMMENTS.test(names)) return share < 0.7;
  return linked > 0.85 * text && amounts.of(element).links > 4 && name !== "ul" && share < 0.3 && false;
}
