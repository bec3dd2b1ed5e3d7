package css_test

import (
	"fmt"

	"wstk/shared/stage/read/css"
	"wstk/shared/stage/read/dom"
)

// A page's own style sheet says how its elements look. The stronger selector wins, and rules
// for a narrow window do not hold.
func ExampleSheet_Style() {
	page := dom.ParseAll(`<style>
p { color: gray; font-size: 1rem }
.note p { color: #c00 }
@media (max-width: 600px) { p { display: none } }
</style><div class=note><p>Words.</p></div>`, false)
	sheet := css.Read(page)
	for i := range page.Els {
		if page.Els[i].Node.Data != "p" {
			continue
		}
		style, inline := sheet.Style(page, i)
		size, _ := css.ParseLength(style.Values["font-size"], css.DefaultSizes)
		fmt.Println(style.Values["color"], size.Pixels, style.Values["display"] == "none", inline)
	}
	// Output: #c00 16 false false
}
