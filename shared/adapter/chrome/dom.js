max => {
  const doc = document, root = doc.documentElement;
  const out = {url: location.href, html: "", size: 0};
  if (!root) return out;

  // Custom elements stay asleep in a document without a window.
  const inert = doc.implementation.createHTMLDocument("");

  // copy makes the tree as it is shown: a host has the content of its shadow root, and a
  // slot what stands in it. Style sheets of a shadow root hold for that root only.
  const copy = (node, shadow) => {
    const name = node.localName;
    if (name === "noscript" || shadow && (name === "style" || name === "link")) return null;
    const to = inert.importNode(node, false);
    if (name === "template" && node.content) {
      to.content.append(inert.importNode(node.content, true));
      return to;
    }
    let kids = node.childNodes, inside = shadow;
    if (node.shadowRoot) {
      kids = node.shadowRoot.childNodes;
      inside = true;
    } else if (name === "slot" && shadow && node.assignedNodes().length) {
      kids = node.assignedNodes();
      inside = kids[0].getRootNode() instanceof ShadowRoot;
    }
    for (const kid of kids) {
      const k = copy(kid, inside);
      if (k) to.appendChild(k);
    }
    return to;
  };

  let html;
  const plain = doc instanceof HTMLDocument;
  const shadows = plain && Array.prototype.some.call(doc.querySelectorAll("*"), e => e.shadowRoot);
  try {
    if (shadows) html = copy(root, false).outerHTML;
  } catch (e) {
    if (!(e instanceof RangeError)) throw e; // nested too deep for us: its shadow roots are left out
  }
  if (html === undefined) {
    for (const e of doc.querySelectorAll("noscript")) e.remove();
    html = (plain ? root : inert.importNode(root, true)).outerHTML;
  }
  if (doc.doctype && plain) html = new XMLSerializer().serializeToString(doc.doctype) + html;
  if (html.length > max) return {...out, size: html.length};
  return {...out, html: html.toWellFormed ? html.toWellFormed() : html};
}
