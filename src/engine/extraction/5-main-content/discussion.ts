// Recognises discussions: pages whose text is in several posts, such as threads, questions with answers, and comments
// that are all there is.

import { type DomElement, namesOf } from "../shared/dom.ts";
import { COMMENT_NAMES } from "./boilerplate-words.ts";
import type { Amounts } from "./measures.ts";

/** Whole words of classes of one post, as forum programs write them. */
const POST =
  /(?:^|\s)(?:post|message|comment|reply|answer|question|post-?body|post-?content|post-?message|topic-body|topic-post|crawler-post|itemcomment|itemdiscussion|ipscomment|ipscomment_content|bbp-reply-content|bbp-topic-content|type-reply|commentthread_comment|forum_op|message-inner|lia-message-body|timeline-comment)(?=\s|$)/;
/** Classes of WordPress for posts of a blog. */
const BLOG_POST = /(?:^|\s)(?:type-post|hentry|post-card)(?:\s|$)/;
const POST_ITEM = /\b(?:comment|suggestedAnswer|acceptedAnswer|discussionUrl)\b/;
const POST_TYPE = /\/(?:DiscussionForumPosting|Comment|Answer|Question)$/;

const MIN_POSTS = 2;
/** Minimum share of the page's text in its posts. */
const MIN_SHARE = 0.5;
/** A post with a larger share of that is an article, and the others are remarks. */
const MAX_LARGEST = 0.85;

/** Whether most text of a page is in posts. */
export function isDiscussion(body: DomElement, amounts: Amounts): boolean {
  let [posts, text, largest] = [0, 0, 0];
  const visit = (element: DomElement) => {
    for (const child of element.children) {
      const amount = amounts.of(child);
      if (amount.text === 0) continue;
      if (isPost(child)) {
        posts++;
        text += amount.text;
        largest = Math.max(largest, amount.text);
      } else visit(child);
    }
  };
  visit(body);
  const isOne = largest > MAX_LARGEST * text;
  return posts >= MIN_POSTS && !isOne && text >= MIN_SHARE * amounts.of(body).text;
}

/** Whether most text of a page is in elements that are named comments. */
export function areComments(body: DomElement, amounts: Amounts): boolean {
  const text = (element: DomElement): number =>
    [...element.children].reduce((sum, child) => {
      const isNamed = child.localName !== "body" && namesOf(child).search(COMMENT_NAMES) >= 0;
      return sum + (isNamed ? amounts.of(child).text : text(child));
    }, 0);
  return text(body) >= MIN_SHARE * amounts.of(body).text;
}

function isPost(element: DomElement): boolean {
  if (!/^(?:article|div|li|section|td|blockquote|tr)$/.test(element.localName)) return false;
  const names = namesOf(element);
  return (
    (POST.test(names) && !BLOG_POST.test(names)) ||
    POST_ITEM.test(element.getAttribute("itemprop") ?? "") ||
    POST_TYPE.test(element.getAttribute("itemtype") ?? "")
  );
}
