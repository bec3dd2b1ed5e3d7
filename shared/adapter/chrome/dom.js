(max, marker) => {
  const doc = document, root = doc.documentElement;
  const out = {url: location.href, html: "", size: 0, shown: null};
  if (!root) return out;

  // Custom elements stay asleep in a document without a window.
  const inert = doc.implementation.createHTMLDocument("");
  const plain = doc instanceof HTMLDocument;

  // What the page shows: for each element with text of its own that is not seen, why, and
  // by which element. The page shares its DOM with us and none of its functions.
  const unseen = new Map(), unasked = new Set(), generated = new Map();
  const parentOf = e => e.assignedSlot || e.parentElement || (e.parentNode instanceof ShadowRoot ? e.parentNode.host : null);
  const looks = new Map();

  // rgba of a computed colour, as four numbers.
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", {willReadFrequently: true});
  const colours = new Map();
  const rgba = value => {
    let c = colours.get(value);
    if (!c) {
      const m = /^rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)$/.exec(value);
      if (m) c = [+m[1], +m[2], +m[3], m[4] === undefined ? 1 : +m[4]];
      else {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = "#000";
        canvas.fillStyle = value;
        canvas.fillRect(0, 0, 1, 1);
        const d = canvas.getImageData(0, 0, 1, 1).data;
        c = [d[0], d[1], d[2], d[3] / 255];
      }
      colours.set(value, c);
    }
    return c;
  };
  const over = (c, ground) => [0, 1, 2].map(i => c[i] * c[3] + ground[i] * (1 - c[3])).concat(1);
  const light = c => {
    const f = v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    return 0.2126 * f(c[0]) + 0.7152 * f(c[1]) + 0.0722 * f(c[2]);
  };
  const alike = (c, ground) => {
    c = over(c, ground);
    const x = light(c), y = light(ground);
    const far = Math.max(...[0, 1, 2].map(i => Math.abs(c[i] - ground[i])));
    return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05) < 1.13 && far < 51;
  };
  const split = s => { // at commas and blanks outside of brackets
    const list = [];
    let depth = 0, from = 0;
    for (let i = 0; i <= s.length; i++) {
      const ch = s[i];
      if (ch === "(") depth++;
      if (ch === ")") depth--;
      if (i === s.length || depth === 0 && (ch === "," || ch === " ")) {
        if (i > from) list.push(s.slice(from, i));
        from = i + 1;
      }
    }
    return list;
  };
  // stops are the colours of gradients, null where there is an image besides.
  const stops = image => {
    if (/url\(|image\(|element\(|paint\(/.test(image)) return null;
    const found = image.match(/(?:rgba?|color|lab|lch|oklab|oklch)\([^()]*\)/g);
    return found ? found.map(rgba) : null;
  };

  const scheme = doc.querySelector('meta[name="color-scheme" i]');
  const dark = /^(only )?dark( only)?$/.test(getComputedStyle(root).colorScheme.trim()) || !!scheme && /^(only )?dark$/i.test(scheme.content.trim());
  const far = 3 * Math.max(innerWidth, 1280), deep = Math.max(root.scrollHeight, doc.body ? doc.body.scrollHeight : 0, innerHeight);
  const meets = (a, b) => ({left: Math.max(a.left, b.left), top: Math.max(a.top, b.top), right: Math.min(a.right, b.right), bottom: Math.min(a.bottom, b.bottom)});

  // empty reports whether a shape of clip-path, in computed form, lets nothing of a box through.
  const empty = (shape, box) => {
    const m = /^(?!url)([a-z]+)\((.*)\)/.exec(shape);
    if (!m) {
      const ref = /^url\("?#([^")]+)"?\)/.exec(shape);
      const clip = ref && doc.getElementById(ref[1]);
      if (!clip || clip.localName !== "clipPath") return false;
      return !Array.from(clip.children).some(c => { try { const b = c.getBBox(); return b.width > 0 && b.height > 0; } catch (e) { return true; } });
    }
    const w = box.width, h = box.height;
    const len = (s, whole) => {
      if (s === "center") return whole / 2;
      const n = parseFloat(s);
      if (!/^-?[\d.]+(e-?\d+)?(px|%)?$/.test(s)) return NaN;
      return s.endsWith("%") ? n * whole / 100 : n;
    };
    const args = m[2].replace(/ round .*/, "");
    if (m[1] === "inset") {
      const v = args.split(/ +/), at = i => v[i < v.length ? i : i - 2 >= 0 && i - 2 < v.length ? i - 2 : 0];
      const t = len(at(0), h), r = len(at(1), w), b = len(at(2), h), l = len(at(3), w);
      return t + b >= h - 0.5 || l + r >= w - 0.5;
    }
    if (m[1] === "circle" || m[1] === "ellipse") {
      const [radii, where] = args.split(/ ?at /);
      const r = radii.trim().split(/ +/).filter(s => s).map((s, i) => len(s, i ? h : w)).filter(n => !isNaN(n));
      if (r.some(n => n < 0.5)) return true;
      if (!where || !r.length) return false;
      const p = where.trim().split(/ +/), x = len(p[0], w), y = len(p[1] || "50%", h), most = Math.max(...r);
      return x + most <= 0 || y + most <= 0 || x - most >= w || y - most >= h;
    }
    let xs = [], ys = [];
    if (m[1] === "polygon") {
      for (const p of args.split(",")) {
        const v = p.trim().split(/ +/);
        if (v.length !== 2) continue;
        xs.push(len(v[0], w));
        ys.push(len(v[1], h));
      }
    } else if (m[1] === "path") {
      const d = /"([^"]*)"/.exec(args);
      if (!d) return false;
      const path = doc.createElementNS("http://www.w3.org/2000/svg", "path");
      path.setAttribute("d", d[1]);
      const all = path.getTotalLength();
      for (let i = 0; i <= 32; i++) {
        const p = path.getPointAtLength(all * i / 32);
        xs.push(p.x);
        ys.push(p.y);
      }
    } else if (m[1] === "xywh" || m[1] === "rect") {
      return false; // computed as inset
    }
    if (!xs.length || xs.some(isNaN) || ys.some(isNaN)) return false;
    let area = 0;
    for (let i = 0; i < xs.length; i++) {
      const j = (i + 1) % xs.length;
      area += xs[i] * ys[j] - xs[j] * ys[i];
    }
    return Math.abs(area) < 8 || Math.max(...xs) <= 0 || Math.max(...ys) <= 0 || Math.min(...xs) >= w || Math.min(...ys) >= h;
  };

  // inCollapsed reports whether a cell stands in a column that is collapsed.
  const columns = new Map();
  const inCollapsed = e => {
    const table = e.closest("table");
    if (!table || e.localName !== "td" && e.localName !== "th") return false;
    let list = columns.get(table);
    if (!list) {
      list = [];
      const put = (c, off) => { for (let i = 0; i < Math.min(c.span, 1000); i++) list.push(off); };
      for (const g of table.querySelectorAll(":scope > colgroup")) {
        const off = e => getComputedStyle(e).visibility === "collapse", all = off(g), cols = g.querySelectorAll(":scope > col");
        for (const c of cols) put(c, all || off(c));
        if (!cols.length) put(g, all);
      }
      if (!list.includes(true) || table.querySelector("[rowspan]:not([rowspan='1'])")) list = [];
      columns.set(table, list);
    }
    if (!list.length) return false;
    let at = 0;
    for (let c = e.previousElementSibling; c; c = c.previousElementSibling) at += c.colSpan || 1;
    return !!list[at];
  };

  // look is what an element's own style and box add to those around it: what hides it and
  // its whole content, its opacity and ground, and the box that it may show in.
  const look = e => {
    let l = looks.get(e);
    if (l) return l;
    const p = parentOf(e), around = p ? look(p) : null;
    const s = getComputedStyle(e);
    l = {
      hidden: around ? around.hidden : null, alpha: around ? around.alpha : 1, ground: around ? around.ground : [dark ? [18, 18, 18, 1] : [255, 255, 255, 1]],
      box: around ? around.box : {left: -far, top: -1e9, right: far, bottom: 1e9}, fixed: around ? around.fixed : false, holds: around ? around.holds : null,
      least: around ? around.least : 1, style: s,
    };
    looks.set(e, l);
    if (l.hidden) return l;
    const hide = (reason, by = e) => { l.hidden = {reason, by}; return l; };
    if (s.display === "none" || s.contentVisibility === "hidden") return hide("not_shown");
    if ((s.webkitTextSecurity || "none") !== "none" && e.localName !== "input") return hide("not_shown");
    l.alpha *= +s.opacity;
    for (const m of s.filter.matchAll(/opacity\(([\d.]+)\)/g)) l.alpha *= +m[1];
    if (s.filter !== "none" && e !== root && e !== doc.body && (flat(s) || emptyFilter(s))) return hide("same_color");
    const blur = /blur\(([\d.]+)px\)/.exec(s.filter);
    if (blur && +blur[1] >= 4 && +blur[1] >= parseFloat(s.fontSize) / 3) return hide("clip");
    if (l.alpha <= 0.05) {
      // What is to fade in when it comes into the window waits for that.
      const waits = e.getBoundingClientRect().top > innerHeight && /(^|[\s_-])(aos|wow|fade|reveal|animat|waypoint|scroll|inview|in-view|appear)/i.test(e.getAttribute("class") + (e.hasAttribute("data-aos") ? " aos" : ""));
      if (!waits) return hide("not_shown");
      l.alpha = 1;
    }
    if (s.display === "table-cell" && inCollapsed(e)) return hide("not_shown");
    const inline = s.display === "inline" && e.localName !== "svg" && s.position !== "absolute" && s.position !== "fixed" && s.float === "none";
    const box = e.getBoundingClientRect();
    if (!inline && s.display !== "contents") {
      if (s.transform !== "none" || s.scale !== "none" || s.rotate !== "none" || s.zoom !== "1") {
        const wide = e.offsetWidth, high = e.offsetHeight;
        if (wide > 0 && high > 0 && (box.width < 0.5 || box.height < 0.5)) return hide("tiny");
        const m = s.transform === "none" ? new DOMMatrix() : new DOMMatrix(s.transform);
        if ([m.a, m.b, m.c, m.d].some(n => Math.abs(n) > 1e6)) return hide("tiny");
        const eye = p ? parseFloat(getComputedStyle(p).perspective) : NaN;
        if (eye > 0 && m.m43 >= eye || m.m44 <= 0) return hide("tiny"); // behind who looks
        const part = Math.min(Math.hypot(m.a, m.b), Math.hypot(m.c, m.d));
        let scale = 1;
        for (const n of s.scale.split(" ")) if (s.scale !== "none") scale = Math.min(scale, Math.abs(+n));
        l.least *= Math.min(1, part * scale);
        if (s.backfaceVisibility === "hidden" && (m.m33 < -0.5 || /^[xy] 180deg$/.test(s.rotate))) return hide("clip");
      }
      if (s.clipPath !== "none" && empty(s.clipPath, {width: e.offsetWidth || box.width, height: e.offsetHeight || box.height})) return hide("clip");
      const clip = /^rect\(([^)]*)\)/.exec(s.clip);
      if (clip && (s.position === "absolute" || s.position === "fixed")) {
        const v = clip[1].split(/[ ,]+/).map((n, i) => n === "auto" ? (i === 1 || i === 2 ? 1e6 : 0) : parseFloat(n));
        if (v[1] - v[3] <= 1 || v[2] - v[0] <= 1 || v[1] <= 0 || v[2] <= 0) return hide("clip");
      }
    }
    const mask = s.maskImage || s.webkitMaskImage;
    if (mask && mask !== "none") {
      const c = stops(mask);
      if (/^url\("?data:[^,)"]*base64,[^)"]{0,23}"?\)$/.test(mask)) return hide("clip"); // too short for a picture
      if (c && c.every(c => c[3] <= 0.05) || /(^|, )0(px|%)?( 0(px|%)?)?(,|$)/.test(s.maskSize || "")) return hide("clip");
      if (/^-?\d{4,}(\.\d+)?px/.test(s.maskPosition || "") && /^no-repeat/.test(s.maskRepeat || "")) return hide("clip");
    }
    // What cuts off what is beyond it.
    const cuts = v => v !== "visible";
    const paint = /paint|strict|content/.test(s.contain);
    const page = e === root || e === doc.body;
    if (!page && !inline && s.display !== "contents" && (cuts(s.overflowX) || cuts(s.overflowY) || paint)) {
      const scrolls = v => v === "auto" || v === "scroll";
      const bounds = {
        left: cuts(s.overflowX) || paint ? box.left : -far, right: cuts(s.overflowX) || paint ? box.right : far,
        top: cuts(s.overflowY) || paint ? box.top : -1e9, bottom: cuts(s.overflowY) || paint ? box.bottom : 1e9,
      };
      const inside = meets(bounds, l.box);
      if (bounds.right - bounds.left < 3 || bounds.bottom - bounds.top < 3) l.thin = e;
      // What scrolls shows all of its content in its own place, one part after the other.
      if (scrolls(s.overflowX) && box.width > 3) { inside.left = -far; inside.right = far; }
      if (scrolls(s.overflowY) && box.height > 3) { inside.top = -1e9; inside.bottom = 1e9; }
      // Carousels show their slides one after the other, too.
      if (box.width > 100 && e.childElementCount > 1 && s.columnCount === "auto" && s.columnWidth === "auto" && e.scrollWidth > box.width + 2) { inside.left = Math.max(-far, box.left - e.scrollWidth); inside.right = Math.min(far, box.left + e.scrollWidth); l.slides = true; }
      l.box = inside;
      l.cut = e;
    } else if (around) {
      l.cut = around.cut;
      l.thin = around.thin;
    }
    if (s.position === "fixed") {
      l.fixed = true;
      if (!around || !around.moved) { l.box = {left: 0, top: 0, right: innerWidth, bottom: innerHeight}; l.cut = e; l.thin = undefined; }
    } else if (s.position === "absolute" && around && around.cut && e.offsetParent && !around.cut.contains(e.offsetParent)) {
      l.box = {left: -far, top: -1e9, right: far, bottom: 1e9}; // its box is placed by another one
      l.cut = undefined;
      l.thin = undefined;
    }
    l.moved = around && around.moved || s.transform !== "none" || s.filter !== "none";
    // The ground that it paints.
    const ground = rgba(s.backgroundColor), image = s.backgroundImage;
    const under = l.ground;
    const clipText = (s.backgroundClip || s.webkitBackgroundClip || "").includes("text");
    let own = null, known = true;
    if (image !== "none") {
      own = stops(image);
      known = !!own;
      if (own && ground[3] > 0) own = own.map(c => over(c, ground));
    } else if (ground[3] > 0) own = [ground];
    if (clipText) l.letters = known ? own || [[0, 0, 0, 0]] : null, l.lettered = true, l.lettersOver = under;
    else {
      if (around && around.lettered) { l.lettered = true; l.letters = around.letters; l.lettersOver = around.lettersOver; }
      if (!known) l.ground = null;
      else if (own && under) l.ground = own.flatMap(c => c[3] < 1 ? under.slice(0, 4).map(g => over(c, g)) : [c]);
      else if (own && own.every(c => c[3] === 1)) l.ground = own;
      if (own || !known) l.lettered = false;
    }
    if (!page && (s.position === "absolute" || s.position === "fixed" || s.position === "sticky") && !own) l.ground = null;
    if (parseFloat(s.marginTop) < -4 || parseFloat(s.marginLeft) < -4) if (!own && !page) l.ground = null;
    l.media = around && around.media;
    return l;
  };

  const hasPicture = e => {
    for (let p = e, n = 0; p && p !== doc.body && p !== root && n < 8; p = parentOf(p), n++) {
      if (p.querySelector("img,video,picture,canvas,svg,iframe,object")) return true;
      if (getComputedStyle(p).backgroundColor !== "rgba(0, 0, 0, 0)") return false;
    }
    return false;
  };

  const range = doc.createRange();
  // spread reports whether blanks are so wide that most words may stand outside of a box which
  // the text as a whole begins in; wordsIn, whether a fourth of them stand in it.
  const spread = s => parseFloat(s.wordSpacing) > 100 || parseFloat(s.letterSpacing) > 100 || /px$/.test(s.tabSize) && parseFloat(s.tabSize) > 100 || parseFloat(s.tabSize) > 50;
  const wordsIn = (texts, box) => {
    let all = 0, seen = 0;
    for (const t of texts) {
      for (const w of t.data.matchAll(/\S+/g)) {
        if (all++ >= 200) break;
        range.setStart(t, w.index);
        range.setEnd(t, w.index + w[0].length);
        const m = meets(range.getBoundingClientRect(), box);
        if (m.right - m.left > 1 && m.bottom - m.top > 1) seen++;
      }
    }
    return seen * 4 >= all;
  };
  let covers = 0;
  // ask tells why the own text of e, in these text nodes, is not seen.
  const ask = (e, texts) => {
    const l = look(e), s = l.style;
    if (l.hidden) return l.hidden;
    const no = (reason, by = e) => ({reason, by});
    if (s.visibility !== "visible") {
      let by = e;
      for (let p = parentOf(e); p && getComputedStyle(p).visibility !== "visible"; p = parentOf(p)) by = p;
      return no("not_shown", by);
    }
    if (s.display !== "contents" && e.checkVisibility && !e.checkVisibility({contentVisibilityAuto: false, opacityProperty: false, visibilityProperty: true})) {
      let by = e;
      for (let p = parentOf(e); p && !p.checkVisibility({visibilityProperty: true}); p = parentOf(p)) by = p;
      return no("not_shown", by);
    }
    const size = parseFloat(s.fontSize) * l.least * (e.currentCSSZoom || 1);
    if (size < 2) return no("tiny");
    const spacing = parseFloat(s.letterSpacing);
    if (spacing <= -0.45 * parseFloat(s.fontSize)) return no("tiny");
    // Where its letters stand.
    let rects = [];
    for (const t of texts) {
      range.selectNodeContents(t);
      for (const r of range.getClientRects()) {
        rects.push(r);
        if (rects.length > 200) break;
      }
    }
    if (!rects.length) return no("not_shown");
    if (rects.every(r => r.width < 0.5 || r.height < 0.5)) return no("tiny");
    const x = scrollX, y = scrollY;
    const onPage = l.fixed ? rects : rects.filter(r => r.right + x > 0 && r.bottom + y > 0 && r.left + x < far && r.top + y < deep + 50);
    if (!onPage.length) return no("off_screen");
    const inBox = onPage.filter(r => {
      const m = meets(r, l.box);
      return m.right - m.left > Math.min(2, r.width / 2) && m.bottom - m.top > Math.min(3, r.height / 2);
    });
    if (l.cut && inBox.length && spread(s) && !wordsIn(texts, l.box)) return no("off_screen", l.cut);
    if (!inBox.length || l.thin && l.thin !== root) return no(l.thin ? "tiny" : "off_screen", l.cut || l.thin || e);
    // Its colour.
    let ground = l.ground;
    let fill = rgba(s.webkitTextFillColor || s.color);
    if (e.namespaceURI === "http://www.w3.org/2000/svg") {
      fill = s.fill === "none" ? [0, 0, 0, 0] : /^url/.test(s.fill) ? null : rgba(s.fill);
      if (fill) fill = [fill[0], fill[1], fill[2], fill[3] * s.fillOpacity];
      if (s.stroke !== "none") fill = null;
      ground = onShapes(e, meets(inBox[0], l.box), ground);
    }
    const outlined = parseFloat(s.webkitTextStrokeWidth) > 0 && rgba(s.webkitTextStrokeColor)[3] > 0.05;
    let shadowed = false;
    if (s.textShadow !== "none") {
      for (const m of s.textShadow.match(/(?:rgba?|color|lab|lch|oklab|oklch)\([^()]*\)/g) || []) {
        const c = rgba(m);
        shadowed = shadowed || c[3] > 0.1 && !(ground && ground.every(g => alike(c, g)));
      }
    }
    if (fill && !outlined && !shadowed) {
      const line = getComputedStyle(e, "::first-line");
      const short = inBox.every(r => Math.abs(r.top - inBox[0].top) < 4);
      if (short && line.color !== s.color && rgba(line.color)[3] <= 0.03) return no("same_color");
      if (l.lettered && fill[3] < 0.05) {
        if (l.letters && l.lettersOver && l.letters.every(c => c[3] < 0.05 || l.lettersOver.every(g => alike(c, g)))) return no("same_color");
      } else {
        const c = [fill[0], fill[1], fill[2], fill[3]];
        if (c[3] <= 0.03) return no("same_color");
        if (ground && ground.every(g => alike(c, g)) && !hasPicture(e) && !mixed(e)) return no("same_color");
        if (ground && ground.length === 1 && (blend(e, c, ground[0]) || filtered(e, c, ground[0]))) return no("same_color");
      }
    }
    // What lies on it.
    if (covers < 3000 && !l.fixed) {
      const r = inBox[0], m = meets(r, l.box);
      if (m.left >= 0 && m.right <= innerWidth * 2 && covers++ >= 0) {
        const points = [[(m.left + m.right) / 2, (m.top + m.bottom) / 2], [m.left + 2, (m.top + m.bottom) / 2], [m.right - 2, (m.top + m.bottom) / 2]];
        let hits = 0, by = null;
        for (const [px, py] of points) {
          if (px < 0 || py < 0 || px >= innerWidth || py >= innerHeight) { hits = -9; break; }
          const c = covered(e, px, py);
          if (c) { hits++; by = c; }
        }
        if (hits === points.length) return {reason: "covered", by: by.contains(e) ? by : e};
      }
    }
    return null;
  };

  // onShapes is the ground of a text in a drawing: the last sheet before it that holds all of
  // its box, and not known where another shape holds a part of it.
  const shapes = "rect,circle,ellipse,path,polygon,polyline,image,use";
  const onShapes = (e, box, ground) => {
    const outermost = e.ownerSVGElement && e.closest("svg:not(svg *)") || e.ownerSVGElement;
    if (!outermost) return ground;
    let n = 0;
    for (const shape of outermost.querySelectorAll(shapes)) {
      if (!(shape.compareDocumentPosition(e) & Node.DOCUMENT_POSITION_FOLLOWING) || shape.contains(e) || n++ > 2000) break;
      if (shape.closest("defs,symbol,clipPath,mask,pattern,marker")) continue;
      const m = meets(shape.getBoundingClientRect(), box), t = getComputedStyle(shape);
      if (m.right <= m.left || m.bottom <= m.top || t.visibility !== "visible" || look(shape).hidden) continue;
      const picture = /^(image|use)$/.test(shape.localName);
      const fill = picture || /^url/.test(t.fill) ? null : t.fill === "none" ? [0, 0, 0, 0] : rgba(t.fill);
      if (fill && t.stroke === "none" && (fill[3] * t.fillOpacity <= 0.05 || ground && ground.every(g => alike(fill, g)))) continue;
      const whole = shape.localName === "rect" && m.right - m.left >= box.right - box.left - 0.5 && m.bottom - m.top >= box.bottom - box.top - 0.5;
      ground = whole && fill && fill[3] * t.fillOpacity > 0.95 && look(shape).alpha > 0.95 ? [fill] : null;
    }
    return ground;
  };

  // mixed reports whether a blend mode makes other colours of these.
  const mixed = e => {
    for (let p = e; p; p = parentOf(p)) if (getComputedStyle(p).mixBlendMode !== "normal") return true;
    return false;
  };
  const blend = (e, c, ground) => {
    const mode = getComputedStyle(e).mixBlendMode;
    const f = {screen: (a, b) => a + b - a * b / 255, lighten: Math.max, multiply: (a, b) => a * b / 255, darken: Math.min,
      difference: (a, b) => Math.abs(a - b), exclusion: (a, b) => Math.abs(a - b), "color-dodge": (a, b) => Math.min(255, a + b), "plus-lighter": (a, b) => Math.min(255, a + b)}[mode];
    if (!f) return false;
    c = over(c, ground);
    return alike([0, 1, 2].map(i => f(c[i], ground[i])).concat(1), ground);
  };

  // through is what filters make of a colour; those that are not known leave it.
  const through = (filter, c) => {
    for (const m of filter.matchAll(/(invert|brightness|contrast|grayscale|saturate)\(([\d.]+)\)/g)) {
      const by = +m[2], part = Math.min(by, 1), grey = 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2];
      const f = {
        invert: v => v + (255 - 2 * v) * part, brightness: v => v * by, contrast: v => (v - 127.5) * by + 127.5,
        grayscale: v => v + (grey - v) * part, saturate: v => grey + (v - grey) * by,
      }[m[1]];
      c = c.map((v, i) => i === 3 ? v : Math.max(0, Math.min(255, f(v))));
    }
    return c;
  };

  // filtered reports whether filters turn a colour into that of the ground, which lies
  // outside of them.
  const filtered = (e, c, ground) => {
    let now = c;
    for (let p = e; p && p !== root && p !== doc.body; p = parentOf(p)) {
      const s = getComputedStyle(p);
      if (rgba(s.backgroundColor)[3] > 0 || s.backgroundImage !== "none") break;
      now = through(s.filter, now);
    }
    return now.some((v, i) => v !== c[i]) && alike(now, ground);
  };

  // flat reports whether the filters of an element with a ground of its own make one colour of
  // all, or nothing.
  const colourful = [[255, 255, 255, 1], [0, 0, 0, 1], [255, 0, 0, 1], [0, 255, 0, 1], [0, 0, 255, 1]];
  const flat = s => {
    if (rgba(s.backgroundColor)[3] < 0.05 && s.backgroundImage === "none") return false;
    const first = through(s.filter, colourful[0]);
    return colourful.every(c => alike(through(s.filter, c), first));
  };
  const emptyFilter = s => {
    const ref = /^url\("?#([^")]+)"?\)/.exec(s.filter), f = ref && doc.getElementById(ref[1]);
    if (!f || f.localName !== "filter" || f.childElementCount > 1) return false;
    const only = f.firstElementChild, v = only ? (only.getAttribute("values") || "").trim().split(/[\s,]+/) : [];
    if (!only) return true;
    return only.localName === "feColorMatrix" && /^(matrix)?$/.test(only.getAttribute("type") || "") && v.length === 20 && v.slice(15).every(n => +n <= 0);
  };

  // covered returns what is painted, opaque, over e at a point of the window.
  const covered = (e, px, py) => {
    for (const top of doc.elementsFromPoint(px, py)) {
      if (top === e || e.contains(top)) return null;
      let host = e.getRootNode();
      if (host instanceof ShadowRoot && (top === host.host)) return null;
      const s = getComputedStyle(top);
      const shape = top.namespaceURI === e.namespaceURI && top.matches("svg " + shapes.split(",").join(",svg "));
      const solid = shape && !/^url/.test(s.fill) && s.fill !== "none" && rgba(s.fill)[3] * s.fillOpacity > 0.95 || !shape && rgba(s.backgroundColor)[3] > 0.95 || /^(IMG|VIDEO|CANVAS|IFRAME)$/.test(top.tagName);
      if (solid && look(top).alpha > 0.95 && s.backgroundClip !== "text") {
        // A cookie banner, a header that sticks: one scrolls, or closes it.
        for (let p = top; p; p = parentOf(p)) {
          const t = getComputedStyle(p).position;
          if (t === "fixed" || t === "sticky") return null;
        }
        if (/^(IMG|VIDEO|CANVAS|IFRAME)$/.test(top.tagName) && rgba(s.backgroundColor)[3] < 0.95 && !top.complete) return null;
        return top;
      }
    }
    return null;
  };

  const foreign = new Set(["script", "style", "template", "noscript", "head", "title", "option", "optgroup", "textarea", "iframe", "noembed", "noframes", "datalist"]);
  // note keeps what a style sheet puts beside the text of an element, or in the place of one
  // without text: words, or a picture.
  const pictured = /(url|image-set|gradient)\(/;
  const replaced = new Set(["img", "input", "svg", "canvas", "video", "object", "embed", "meter", "progress"]);
  const note = (e, key, what) => {
    if (!generated.has(e) && generated.size >= 1000) return;
    const g = generated.get(e) || {};
    g[key] = what === true || ((g[key] || "") + what.replace(/^"|"$/g, "")).slice(0, 200);
    generated.set(e, g);
  };

  const survey = () => {
    // Closed details are opened by a press: what stands in them is not asked about.
    const roots = [root];
    while (roots.length) {
      const walk = doc.createTreeWalker(roots.pop(), NodeFilter.SHOW_ELEMENT);
      for (let e = walk.currentNode; e; e = walk.nextNode()) {
        if (e.nodeType !== 1) continue;
        if (e.shadowRoot) roots.push(e.shadowRoot);
        const name = e.localName;
        if (foreign.has(name)) continue;
        const texts = [];
        for (const c of e.childNodes) if (c.nodeType === 3 && /\S/.test(c.data)) texts.push(c);
        if (name === "details" && !e.open) {
          const l = look(e);
          const summary = e.querySelector(":scope > summary"), shown = summary && look(summary);
          const pressed = !shown || !shown.hidden && shown.style.visibility === "visible"; // one can open it
          if (!l.hidden && l.style.visibility === "visible" && pressed) { unasked.add(e); }
        }
        if (name === "select") {
          const l = look(e);
          const no = l.hidden || (l.style.visibility !== "visible" ? {reason: "not_shown", by: e} : null);
          if (no) unseen.set(e, no);
          continue;
        }
        for (const [kind, key] of [["::before", "before"], ["::after", "after"]]) {
          const s = getComputedStyle(e, kind), content = s.content;
          if (s.display === "none" || s.visibility !== "visible" || +s.opacity <= 0.05 || /icon|material|awesome|symbol|glyph|fontello/i.test(s.fontFamily)) continue;
          const added = content.replace(/url\("[^"]*"\)/g, "").replace(/("|\)) \/ .*/, "$1").replace(/(open|close)-quote/g, getComputedStyle(e).quotes);
          if (/"[^"]*\p{L}{2}/u.test(added)) note(e, key, added);
          if (content !== "none" && content !== "normal" && pictured.test(content + s.backgroundImage)) note(e, "picture", true);
        }
        const style = getComputedStyle(e);
        if (style.display.includes("list-item")) {
          const marker = getComputedStyle(e, "::marker").content;
          const mark = /"/.test(marker) ? marker : style.listStyleType;
          if (/^"[^"]*\p{L}{2}/u.test(mark)) note(e, "before", mark);
        }
        if (!texts.length) {
          if (replaced.has(name)) {
            const l = look(e), no = l.hidden || (l.style.visibility !== "visible" ? {reason: "not_shown", by: e} : null);
            if (no) unseen.set(e, no);
          } else if (style.display.startsWith("inline") && pictured.test(style.backgroundImage) && e.getClientRects().length) {
            note(e, "picture", true);
          }
          continue;
        }
        let folded = false;
        for (let p = e.parentElement; p && !folded; p = p.parentElement) folded = unasked.has(p);
        if (folded) continue;
        const no = ask(e, texts);
        if (no) unseen.set(e, no);
      }
    }
  };
  let surveyed = false;
  if (plain && root.getClientRects) {
    try {
      survey();
      surveyed = true;
    } catch (e) {
      if (!(e instanceof RangeError)) throw e; // nested too deep for us
    }
  }

  // copy makes the tree as it is shown: a host has the content of its shadow root, and a
  // slot what stands in it. Style sheets of a shadow root hold for that root only. Elements
  // that the survey named carry the marker, which no script of the page knows, with their number.
  const named = [];
  const numbers = new Map();
  const name = e => {
    if (!numbers.has(e)) { numbers.set(e, named.length); named.push(e); }
    return numbers.get(e);
  };
  for (const [e, no] of unseen) { name(e); name(no.by); }
  for (const e of unasked) name(e);
  for (const e of generated.keys()) name(e);
  const tag = (from, to) => { if (numbers.has(from)) to.setAttribute(marker, numbers.get(from)); };

  const strip = tree => {
    for (const e of tree.querySelectorAll("noscript")) e.remove();
    for (const t of tree.querySelectorAll("template")) strip(t.content);
  };
  const copy = (node, shadow) => {
    const local = node.localName;
    if (local === "noscript" || shadow && (local === "style" || local === "link")) return null;
    const to = inert.importNode(node, false);
    if (to.nodeType === 1) tag(node, to);
    if (local === "template" && node.content) {
      const content = inert.importNode(node.content, true);
      strip(content);
      to.content.append(content);
      return to;
    }
    let kids = node.childNodes, inside = shadow;
    if (node.shadowRoot) {
      kids = node.shadowRoot.childNodes;
      inside = true;
    } else if (local === "slot" && shadow && node.assignedNodes().length) {
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
  try {
    if (plain) html = copy(root, false).outerHTML;
  } catch (e) {
    if (!(e instanceof RangeError)) throw e; // nested too deep for us: its shadow roots are left out
    surveyed = false;
  }
  if (html === undefined) {
    if (plain) strip(doc); else for (const e of doc.querySelectorAll("noscript")) e.remove();
    html = (plain ? root : inert.importNode(root, true)).outerHTML;
  }
  if (doc.doctype && plain) html = new XMLSerializer().serializeToString(doc.doctype) + html;
  if (html.toWellFormed) html = html.toWellFormed();

  // The reader of the page parses it again, which may make other elements of it: they are
  // counted in what a parser makes, in the order in which they begin.
  if (surveyed) {
    const at = new Map();
    let count = 0;
    const stack = [new DOMParser().parseFromString(html, "text/html").documentElement];
    while (stack.length) {
      const e = stack.pop();
      const n = e.getAttribute(marker);
      if (n !== null) at.set(+n, [...at.get(+n) || [], count]); // a parser may make two of one
      count++;
      const kids = e.localName === "template" && e.content ? e.content.children : e.children;
      for (let i = kids.length - 1; i >= 0; i--) stack.push(kids[i]);
    }
    const places = e => at.get(numbers.get(e)) || [];
    const shown = {elements: 0, unseen: [], unasked: [], generated: []};
    for (const [e, no] of unseen) {
      const by = places(no.by)[0];
      for (const i of places(e)) shown.unseen.push({element: i, by: by <= i ? by : i, reason: no.reason});
    }
    for (const e of unasked) shown.unasked.push(...places(e));
    for (const [e, g] of generated) for (const i of places(e)) shown.generated.push({element: i, ...g});
    shown.elements = count;
    for (const list of [shown.unseen, shown.generated]) list.sort((a, b) => a.element - b.element);
    shown.unasked.sort((a, b) => a - b);
    out.shown = shown;
  }
  if (named.length) html = html.replaceAll(new RegExp(" " + marker + '="\\d+"', "g"), "");
  if (html.length > max) return {...out, shown: null, size: html.length};
  return {...out, html};
}
