// What surrounds the content on most pages: navigation, footers, banners, asides. Told by tag, role, name and links, never by
// site; each sign yields when the element holds most of the page.

import { childrenOf, type DomElement, isElement, namesOf } from "./dom.ts";
import type { Amount, Amounts } from "./measures.ts";

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

const part = (words: string, flags = "") => new RegExp(`(?<=^|[\\s_-])(${words})(?=$|[\\s_-])`, flags);

const NAMES = part(
  "nav|navbar|navigation|navi|menu|submenu|megamenu|topbar|breadcrumbs?|crumbs|footer|foot|footnav|masthead|site-?header|page-?header-nav|sidebar|side-?bar|aside|sidenav|" +
    "cookies?|consent|gdpr|privacy-banner|newsletter|subscribe|subscription|signup|sign-up|optin|mailchimp|login|" +
    "share|sharing|sharedaddy|social|socials|follow-us|addtoany|addthis|" +
    "related|related-?posts|recommended|recommendations|read-?next|also-?like|more-?from|up-?next|you-?may|trending|popular|most-?read|" +
    "ads?|advert|advertisement|adsbygoogle|banner-ad|sponsor|sponsored|promo|outbrain|taboola|" +
    "pagination|pager|paginator|post-?navigation|nav-links|toc-?nav|skip|popup|modal|overlay|lightbox|tooltip|toast|offcanvas|drawer|" +
    "widget|widgets|tags|tagcloud|tag-list|post-tags|author-?box|author-?bio|about-author|print|feedback|search-?form|searchbox|copyright|legal|disclaimer-bar",
  "g",
);
const COMMENTS = part("comments?|comment-?list|disqus|respond|reply-form|discussion-thread");

export interface BoilerplateOptions {
  comments: boolean;
}

/** A word that marks more than this share of the page's prose names its layout, and no boilerplate. */
const LAYOUT_SHARE = 0.5;

/** Elements that hold text of their own or a part of it: never judged by their names. */
const CONTENT =
  /^(?:main|article|pre|code|table|thead|tbody|tfoot|tr|td|th|h[1-6]|p|li|dd|dt|a|em|strong|b|i|figure|blockquote|body)$/;

/** The elements to leave out, outermost ones only. */
export function findBoilerplate(
  root: DomElement,
  amounts: Amounts,
  options: BoilerplateOptions,
): Set<DomElement> {
  const page = amounts.of(root);
  const layoutWords = new Set<string>();
  for (;;) {
    const found = new Set<DomElement>();
    const marked = new Map<string, number>();
    const visit = (element: DomElement) => {
      for (const child of childrenOf(element)) {
        if (!isElement(child)) continue;
        const word = isOutside(child, amounts, page)
          ? ""
          : wordOf(child, amounts, page, options, layoutWords);
        if (word === null) {
          visit(child);
          continue;
        }
        found.add(child);
        if (word !== "") marked.set(word, (marked.get(word) ?? 0) + amounts.of(child).prose);
      }
    };
    visit(root);
    const known = layoutWords.size;
    for (const [word, prose] of marked) if (prose > LAYOUT_SHARE * page.prose) layoutWords.add(word);
    if (layoutWords.size === known) return found;
  }
}

/** By tag and role alone. */
function isOutside(element: DomElement, amounts: Amounts, page: Amount): boolean {
  const { text, prose } = amounts.of(element);
  if (text === 0 || text > 0.5 * page.text) return false;
  switch (element.localName) {
    case "nav":
      return true;
    case "aside":
      if (element.closest("article, main") && prose > 0.6 * text && namesOf(element).search(NAMES) < 0)
        return false;
      return prose <= 0.35 * page.prose;
    case "footer":
      return prose <= 0.35 * page.prose;
    case "header":
      return (
        text < 0.3 * page.text && !element.querySelector("h1") && !element.closest("article, main, section")
      );
    case "form":
      return text < 0.3 * page.text && prose < 0.3 * text;
  }
  return ROLES.has(element.getAttribute("role") ?? "");
}

/** The word in its names that tells an element as boilerplate; null if there is none. */
function wordOf(
  element: DomElement,
  amounts: Amounts,
  page: Amount,
  options: BoilerplateOptions,
  layoutWords: Set<string>,
): string | null {
  const { text, prose } = amounts.of(element);
  if (text === 0 || CONTENT.test(element.localName)) return null;
  const names = namesOf(element);
  if (text < 0.3 * page.text && prose < 0.35 * page.prose) {
    for (const [, word] of names.matchAll(NAMES)) if (!layoutWords.has(word!)) return word!;
  }
  if (!COMMENTS.test(names)) return null;
  if (options.comments) return layoutWords.has("comment") ? null : "comment";
  return text < 0.7 * page.text ? "" : null;
}
