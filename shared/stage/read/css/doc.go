// Package css reads the style sheets that stand in a page, and says what they declare of
// each element: selectors, nesting, layers, scopes, conditions and the cascade are those of
// CSS, for a screen of ScreenWidth by ScreenHeight pixels. It knows no layout; what a
// declaration means for a reader is decided in package read. Linked sheets are not read, but
// counted. All work is bounded, whatever a sheet says.
//
// Begin with Read and Sheet.Style; ParseLength and ParseColor read the values that a Style
// holds.
package css
