// What our rules use of a node in the tree that turndown builds.

export interface TreeNode {
  readonly nodeName: string;
  readonly parentNode: TreeNode | null;
  readonly firstChild: TreeNode | null;
  readonly nextSibling: TreeNode | null;
  readonly previousSibling: TreeNode | null;
  readonly firstElementChild: TreeNode | null;
  readonly children: ArrayLike<TreeNode>;
  readonly textContent: string;
  getAttribute(name: string): string | null;
}
