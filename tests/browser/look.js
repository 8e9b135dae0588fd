/* What a reader meets on the page at this width, in this theme and medium. Lengths in CSS pixels. */
(() => {
  const root = document.documentElement;
  const seen = element => element.checkVisibility({visibilityProperty: true});
  const figure = element => (element.closest("figure") || {id: "?"}).id;
  const drawings = [...document.querySelectorAll("svg")].filter(seen);
  const texts = drawings.flatMap(drawing => [...drawing.querySelectorAll("text")].map(text => [drawing, text]));
  const outside = texts.filter(([drawing, text]) => {
    const own = text.getBoundingClientRect(), sheet = drawing.getBoundingClientRect();
    return own.left < sheet.left - 0.5 || own.right > sheet.right + 0.5
        || own.top < sheet.top - 0.5 || own.bottom > sheet.bottom + 0.5;
  });
  /* A text may be turned, and its drawing scaled: the length of the transformed upright of one em. */
  const height = text => {
    const m = text.getScreenCTM();
    return parseFloat(getComputedStyle(text).fontSize) * Math.hypot(m.c, m.d);
  };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const sizes = texts.map(([, text]) => [height(text), text.textContent]);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const holder = node.parentElement;
    if (node.data.trim() && !holder.closest("svg, script, style") && seen(holder))
      sizes.push([parseFloat(getComputedStyle(holder).fontSize), node.data.trim()]);
  }
  sizes.sort((one, other) => one[0] - other[0]);
  const ids = [...document.querySelectorAll("[id]")].map(element => element.id);
  const count = selector => [...document.querySelectorAll(selector)].filter(seen).length;
  return {
    page_width: root.scrollWidth,
    window_width: root.clientWidth,
    figures: count("figure"),
    wide: drawings.filter(drawing => drawing.closest(".wide")).map(figure),
    narrow: drawings.filter(drawing => drawing.closest(".narrow")).map(figure),
    empty: drawings.filter(drawing => drawing.getBoundingClientRect().height < 20).map(figure),
    outside: outside.map(([drawing, text]) => [figure(drawing), text.textContent]),
    smallest: sizes[0],
    twice: ids.filter((id, place) => ids.indexOf(id) !== place),
    colours: document.body.outerHTML.replace(/href="[^"]*"/g, "").match(/#[0-9a-f]{6}\b/gi) || [],
    background: getComputedStyle(document.body).backgroundColor,
    ink: getComputedStyle(document.body).color,
    buttons: count("th button"),
    marks: count("th button span"),
    links: count(".data"),
    contents: count("nav"),
    hints: count(".script"),
    scrolling: [...document.querySelectorAll(".scroll")].filter(box => getComputedStyle(box).overflowX !== "visible").length,
  };
})()
