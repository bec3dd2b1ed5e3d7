package screen

import (
	"strings"

	"wstk/shared/text"
)

// needsScript is what pages say that show nothing without JavaScript. %: the two
// words stand near each other. Lower case.
var needsScript = []string{
	"enable javascript", "enable java script", "javascript is required to", "javascript is required for", "javascript is required in", "javascript is required on", "javascript is required.", "javascript is disabled", "javascript disabled", "requires javascript", "javascript must be enabled", "javascript to run this app", "javascript to be enabled", "javascript enabled to", "without javascript", "turn on javascript", "activate javascript", "needs javascript", "javascript is not enabled", "javascript to view", "javascript to continue", "does not support javascript", "doesn't work properly without javascript",
	"javascript aktivieren", "javascript ist deaktiviert", "aktivieren sie javascript", "javascript wird benötigt", "javascript zu aktivieren",
	"activer javascript", "activez javascript", "javascript est désactivé", "javascript est nécessaire", "active javascript",
	"habilite javascript", "habilitar javascript", "activar javascript", "active javascript", "javascript está deshabilitado", "activa javascript",
	"ative o javascript", "habilite o javascript", "javascript está desativado", "abilita javascript", "abilitare javascript", "attiva javascript", "javascript è disabilitato",
	"включите javascript", "включить javascript", "javascript отключен", "необходимо включить javascript", "поддержку javascript",
	"启用javascript", "启用 javascript", "開啟javascript", "啟用 javascript", "开启javascript", "需要javascript", "请打开javascript",
	"javascriptを有効", "javascript を有効", "javascriptが無効", "javascript が無効", "자바스크립트를 활성화", "javascript를 활성화", "javascript를 사용",
	"schakel javascript in", "javascript inschakelen", "włącz javascript", "włączyć javascript", "povolte javascript", "aktivera javascript", "javascript'i etkinleştir",
}

// waiting is what a shell shows until its script has run.
var waiting = set("loading", "please wait", "loading please wait", "one moment", "just a moment", "redirecting", "initializing", "starting", "wird geladen", "bitte warten", "lädt", "chargement", "chargement en cours", "cargando", "carregando", "caricamento", "caricamento in corso", "загрузка", "加载中", "正在加载", "読み込み中", "로딩 중", "laden", "ładowanie", "načítání", "laddar", "yükleniyor", "loading app", "loading application", "loading page")

const (
	shellText   = 300 // a shell shows less than this
	shellChrome = 800 // … or this, where its root is empty
	bareShell   = 60  // … or hardly a word
	emptyRoot   = 40  // a root with less than this is not yet built
)

// shell tells whether the page is an empty shell that a script would fill.
func (p *page) shell() string {
	if !p.html || p.size > shellChrome {
		return ""
	}
	m := p.markup()
	if m.scripts == 0 && !(m.root && p.size < bareShell) {
		return ""
	}
	// In the root there is what a script put there, or what stands there until
	// it does. A page without any text has none in its root either.
	inRoot := min(m.inRoot, p.size)
	switch {
	case m.root && (inRoot < emptyRoot || p.onlyNotice()):
		return "the element that a script would fill is empty"
	case p.size <= shellText && p.onlyNotice():
		return "the page only says that it needs JavaScript"
	case p.size < bareShell && first(m.noscript, needsScript) != "":
		return "the page has next to no text and says that it needs JavaScript"
	case p.size == 0 && m.scripts > 0 && m.frames == 0 && m.images == 0:
		return "the page has no text without its script"
	case p.size < bareShell && (m.state || m.module || m.external > 0 && p.waits()):
		return "the page has next to no text and data or a program to make it from"
	}
	return ""
}

// onlyNotice tells whether nothing much is left of the text without the blocks
// that ask for JavaScript or for patience, and there is one such.
func (p *page) onlyNotice() bool {
	left, notice := 0, false
	for _, b := range p.blocks {
		if first(b, needsScript) != "" || waiting[bare(b)] {
			notice = true
		} else {
			left += weigh(b, text.Range{End: len(b)}, nil)
		}
	}
	return notice && left < bareShell
}

// waits tells whether the page says that it is loading.
func (p *page) waits() bool {
	for _, b := range p.blocks {
		if waiting[bare(b)] {
			return true
		}
	}
	return strings.HasPrefix(p.text, "loading")
}
