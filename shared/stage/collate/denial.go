package collate

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"wstk/shared/text"
	"wstk/shared/wstk"
)

// The words by which a sentence takes back, or leaves open, what a clause of it says. They
// lean towards doubt: a clause that stands beside one of them is shown as inferred, which
// costs little, and shown as direct it may turn a denial into a statement. One line for
// each language; words are in the form of text.FoldCompare.

// takers deny or doubt wherever in the sentence they stand.
var takers = phrases(`
	not true|not the case|not correct|not so that|not as if|untrue|false|falsely|myth|myths|hoax|hoaxes|misconception|misconceptions|fallacy|fiction|fictional|nonsense|debunked|debunks|debunk|debunking|refuted|refutes|refute|disproved|disproven|disproves|denied|denies|deny|denying|denial|rejects|rejected|reject|dismissed|dismisses|retracted|retracts|withdrawn|disputes|disputed|dispute|doubts|doubted|doubt|doubtful|dubious|wrong|wrongly|incorrect|incorrectly|mistaken|mistakenly|erroneous|erroneously|inaccurate|lie|lies|lied|lying|liar|rumor|rumors|rumour|rumours|rumored|rumoured|joke|jokes|joked|joking|satire|satirical|parody|fake|faked|fabricated|unfounded|baseless|unproven|unsubstantiated|unverified|unconfirmed|contradicted|contradicts|overturned|misleading|misinformation|disinformation|propaganda|superstition|legend|folklore|conspiracy theory|urban legend|old wives|allegedly|alleged|alleges|allege|supposedly|purportedly|purported|purports|so-called|pretends|pretended|pretend|claimed|claims|claim|claiming|if|unless|except|provided that|as long as|only when|only where|whether|no longer|used to|once said|once thought|once believed|formerly|nobody|no one|noone|no evidence|no proof|no reason|no indication|no record|no sign|lack of evidence|insufficient evidence|never happened|did not happen|far from|contrary to|in contrast to|as though|as if|imagine|imagined|imagines|suppose|hypothetical|hypothetically|would|could have|might have|should have|wish|wishes|dreamed|dreamt|not recommended|not advised|not advisable|never been shown|cannot be shown|cannot be confirmed|could not be confirmed|not been shown|not been confirmed|not been proven|not proven|not shown|not confirmed|not claim|failed to|fails to|fail to|refused to|refuses to|too early|hardly|scarcely|barely|thought that|believed that|believe that|believes that|people think|people believe|many believe|some believe|some say|some think|it was thought|it was believed|was thought|were thought|was believed|was said|were said|is said to|are said to|according to a hoax|in the novel|in the film|in the movie|in the game|in fiction|april fool|opposite|hypothesis|conjecture|conjectured|until|before version|prior to
	nicht wahr|nicht der fall|nicht richtig|unwahr|falsch|fälschlich|fälschlicherweise|mythos|mythen|irrtum|irrtümlich|gerücht|gerüchte|gerüchten|lüge|lügen|gelogen|märchen|unsinn|quatsch|widerlegt|widerlegte|bestreitet|bestritt|bestreiten|bestritten|dementiert|dementierte|dementi|leugnet|leugnete|verneint|verneinte|angeblich|vermeintlich|behauptet|behauptete|behaupten|behauptung|wenn|falls|sofern|es sei denn|außer|ob|nicht mehr|niemand|kein beweis|keine beweise|keinen beweis|keine belege|kein beleg|keinen beleg|keine hinweise|entgegen|anders als|würde|wäre|hätte|stimmt nicht|trifft nicht zu|nicht zutreffend|scherz|aprilscherz|legende|früher hieß es|glaubte man|nicht empfohlen|nicht ratsam|stimmt das
	pas vrai|pas exact|pas le cas|faux|fausse|faussement|mythe|mythes|canular|rumeur|rumeurs|mensonge|mensonges|menti|idée reçue|démenti|dément|démentent|nie que|nie avoir|nié|nient|niait|réfuté|réfute|conteste|contesté|contestent|prétend|prétendent|prétendait|prétendument|soi-disant|affirmait|à tort|sauf si|à moins que|pourvu que|à condition que|ne plus|n'est plus|ne sont plus|personne|aucune preuve|aucun élément|contrairement|serait|aurait|légende|douteux|si|déconseillé|pas recommandé|erreur|erroné
	no es cierto|no es verdad|no es correcto|falso|falsa|falsamente|mito|mitos|bulo|bulos|rumor|rumores|mentira|mentiras|mintió|desmiente|desmintió|desmentido|desmienten|niega|negó|niegan|negaron|refutado|refuta|rechaza|rechazó|supuestamente|presunto|presuntamente|pretende|afirmaba|a menos que|salvo que|siempre que|excepto|ya no|nadie|ninguna prueba|no hay pruebas|no hay evidencia|sin pruebas|contrario a|al contrario|contrariamente|sería|habría|leyenda|dudoso|erróneo|equivocado|desaconseja|no se recomienda|según un bulo
	non è vero|non è corretto|falso|falsa|falsamente|mito|miti|bufala|bufale|voce|dicerie|bugia|bugie|smentito|smentisce|smentì|nega|negato|negò|negano|confutato|contesta|presunto|presumibilmente|sedicente|a meno che|purché|tranne|non più|nessuno|nessuna prova|non ci sono prove|contrariamente|sarebbe|avrebbe|leggenda|dubbio|errato|sbagliato|sconsigliato
	não é verdade|não é certo|não é correto|falso|falsa|boato|boatos|mito|mitos|mentira|mentiras|mentiu|desmente|desmentiu|desmentido|nega|negou|negam|refutado|refuta|supostamente|alegadamente|pretende|a menos que|salvo se|desde que|exceto|já não|não mais|ninguém|nenhuma prova|não há provas|não há evidência|ao contrário|contrariamente|seria|teria|lenda|duvidoso|errado|equivocado|não recomendado
	niet waar|niet juist|onwaar|onjuist|onterecht|mythe|mythes|gerucht|geruchten|leugen|leugens|gelogen|fabel|ontkent|ontkende|ontkennen|weerlegd|weerlegt|betwist|zogenaamd|vermeend|beweert|beweerde|beweren|indien|tenzij|mits|behalve|niet meer|niemand|geen bewijs|geen enkel bewijs|in tegenstelling tot|zou|zouden|legende|twijfelachtig|fout|afgeraden
	неправда|не правда|неверно|не верно|ложь|ложно|ложный|миф|мифы|мифом|слух|слухи|слухам|выдумка|выдумкой|заблуждение|опроверг|опровергла|опровергли|опровергает|опровергнуто|отрицает|отрицал|отрицала|отрицают|отвергает|якобы|будто|мнимый|утверждал|утверждает|если|кроме|больше не|уже не|никто|нет доказательств|нет данных|вопреки|легенда|сомнительно|ошибочно|ошибка|бы|не рекомендуется|шутка
	nieprawda|nie jest prawdą|nieprawdziwe|fałsz|fałszywe|mitem|mity|plotka|plotki|kłamstwo|zaprzecza|zaprzeczył|zaprzeczyła|zaprzeczają|obalony|obalono|rzekomo|rzekomy|twierdził|twierdzi|jeśli|jeżeli|chyba że|pod warunkiem|oprócz|już nie|nikt|brak dowodów|nie ma dowodów|wbrew|błędnie|byłby|legenda
	inte sant|osant|falskt|myt|myter|rykte|rykten|lögn|förnekar|förnekade|dementerar|dementerade|påstår|påstod|påstås|påstådda|såvida|förutsatt|utom|inte längre|ingen tror|inga bevis|i motsats|skulle|ikke sandt|ikke sant|usandt|usant|falsk|myte|rygte|rykter|løgn|benægter|nekter|benekter|hevder|påstår|medmindre|med mindre|ikke længere|ikke lenger|ingen beviser|ingen bevis|ville
	doğru değil|doğru değildir|gerçek değil|yanlış|yalan|yalandır|efsane|efsanedir|söylenti|yalanladı|reddetti|inkar etti|iddia|sözde|eğer|olmadıkça|kimse|kanıt yok|aksine
`)

// wideTakers are those of scripts without spaces, or whose words carry endings: they are
// looked for as they stand, within words too.
var wideTakers = strings.Fields(`
	不是真的 并非 並非 不实 不實 谣言 謠言 谣传 謠傳 假的 虚假 虛假 错误 錯誤 误解 誤解 误传 迷思 神话 神話 骗局 否认 否認 辟谣 闢謠 反驳 反駁 驳斥 据称 據稱 声称 聲稱 宣称 宣稱 所谓 所謂 如果 若是 除非 假如 假设 假設 不再 没有人 沒有人 没人 没有证据 沒有證據 无证据 與事實不符 与事实不符 相反 不成立 不属实 不屬實 不正确 不正確 玩笑 捏造 传说 傳說 不推荐 不建议
	嘘 うそ 誤り 誤解 間違い 事実ではな 真実ではな 本当ではな 正しくな デマ 噂 うわさ 神話 俗説 否定 反論 主張 もし 場合に限 限り とされていた と思われていた 証拠はな 根拠はな 根拠のな 誰も わけではな とは限らな ではない ではなく ではありません 迷信 冗談
	사실이아니 사실이 아니 거짓 허위 루머 소문 헛소문 오해 잘못 부인 반박 주장 만약 만일 아무도 증거가없 증거가 없 근거없 근거 없 더이상 더 이상 아니다 않다 속설 괴담
	غيرصحيح صحيحا صحيحاً خاطئ خاطئة كاذب كاذبة كذب أكذوبة خرافة أسطورة شائعة إشاعة نفى نفت ينفي أنكر تنفي يزعم زعم زعمت مزاعم إذا لولا إلا لم يعد لا أحد لا دليل لا يوجد دليل خلافا
	सच नहीं सही नहीं गलत ग़लत झूठ झूठा मिथक अफवाह अफ़वाह भ्रम खंडन इनकार इंकार दावा कथित अगर यदि जब तक कोई नहीं सबूत नहीं प्रमाण नहीं
	नहीं अब नहीं
	ไม่จริง เท็จ ข่าวลือ ปฏิเสธ ถ้า หาก ไม่มีหลักฐาน ความเชื่อผิด
	לא נכון שקר מיתוס שמועה הכחיש
	نادرست دروغ شایعه افسانه تکذیب
	μύθος ψευδ ψέμα διαψεύδ αρνείται αρνήθηκε φήμη
`)

// deniers turn over what stands right behind them, or right before them.
var deniers = words(`not no never nowhere cannot without neither nor none hardly isn't aren't wasn't weren't doesn't don't didn't won't can't couldn't shouldn't hasn't haven't hadn't nicht kein keine keinen keinem keiner nie niemals ohne weder
	ne pas jamais sans ni aucun aucune no nunca jamás sin ningún ninguna non mai senza nessun nessuna não nem sem nenhum nenhuma niet geen nooit zonder не нет никогда без ни nie nigdy bez inte ingen inga aldrig ikke aldrig utan uden uten değil yok hiç لا ليس ليست لم لن नहीं न मत לא אין`)

// limiters narrow what they follow: the drug is safe | only in theory.
var limiters = words("only except unless if when where while provided nur außer wenn falls seulement sauf sólo solo solamente soltanto só apenas alleen только tylko")

func phrases(table string) []string {
	var out []string
	for _, line := range strings.Split(table, "\n") {
		for _, p := range strings.Split(strings.TrimSpace(line), "|") {
			if p != "" {
				out = append(out, p)
			}
		}
	}
	return out
}

// takenBack reports whether the sentence in which a quote stands, or the one beside it,
// denies or leaves open the given words of it: "it is not true that …", "if …", "… is a
// myth", "…? No.", "… That is false."; or whether its page disowns them. Of a quote whose
// Document was not given it can only look at the quote.
func (p *pages) takenBack(e wstk.Evidence, statement string) bool {
	stated := text.FoldCompare(statement)
	if stated == "" || p.disowned(e) {
		return true
	}
	sentence, row, before, after, lang := e.Quote, "", "", "", ""
	if d := p.of(e); d != nil {
		if r, ok := around(d, e); ok {
			sentence, lang = d.Text[r.Start:r.End], d.Meta.Language
			row, before, after = beside(d, r)
		}
	}
	if deniedCell(row, sentence) {
		return true
	}
	var parts []string // sentences, and cells of a row
	for _, cell := range strings.Split(sentence, "\t") {
		for _, r := range text.Sentences(cell, lang) {
			parts = append(parts, cell[r.Start:r.End])
		}
	}
	tabs := strings.Contains(sentence, "\t")
	found := false
	for i, part := range parts {
		whole := text.FoldCompare(part)
		if !strings.Contains(whole, stated) {
			continue
		}
		found = true
		previous, next := before, after
		switch {
		case tabs:
			previous, next = "", "" // other cells are quoted with it
		default:
			if i > 0 {
				previous = parts[i-1]
			}
			if i+1 < len(parts) {
				next = parts[i+1]
			}
		}
		if deniedBeside(previous, next) || deniedWithin(whole, stated) {
			return true
		}
	}
	if found {
		return false
	}
	whole := text.FoldCompare(sentence)
	return !strings.Contains(whole, stated) || deniedBeside(before, after) || !tabs && deniedWithin(whole, stated)
}

// deniedWithin reports whether a sentence takes back any of the places where the clause
// stands in it. Both are folded.
func deniedWithin(sentence, clause string) bool {
	for at := 0; ; {
		i := strings.Index(sentence[at:], clause)
		if i < 0 {
			return false
		}
		if deniedAround(sentence[:at+i], sentence[at+i+len(clause):]) {
			return true
		}
		_, size := utf8.DecodeRuneInString(sentence[at+i:])
		at += i + size
	}
}

// deniedAround reports whether the rest of a sentence takes back its clause between
// before and after. All is folded.
func deniedAround(before, after string) bool {
	if holdsTaker(before) || holdsTaker(after) || strings.ContainsAny(after, "?？؟") {
		return true
	}
	// A denial reaches the clause that it stands in.
	lead := strings.TrimRight(before, " ")
	if last, _ := utf8.DecodeLastRuneInString(lead); lead != "" && !strings.ContainsRune(",;:)]，；：、", last) || joinsOn(lead) {
		for _, w := range bareWords(before[lastMark(before):]) {
			if deniers[w] || strings.HasSuffix(w, "n't") {
				return true
			}
		}
	}
	const near = 5
	for i, w := range bareWords(after[:firstMark(after)]) {
		if i == near {
			break
		}
		if deniers[w] || limiters[w] || strings.HasSuffix(w, "n't") {
			return true
		}
	}
	next, _ := utf8.DecodeRuneInString(after)
	return after != "" && strings.ContainsRune("不没沒無无ないぬず않아", next) && unicode.IsLetter(next)
}

// joinsOn reports whether words end with one that opens a clause: that, dass, que.
func joinsOn(s string) bool {
	w := bareWords(s)
	return len(w) > 0 && openers[w[len(w)-1]]
}

var openers = words("that dass daß que che dat что że att at ki कि أن")

// lastMark and firstMark are where the clause at the end, at the beginning of s ends.
func lastMark(s string) int {
	i := strings.LastIndexAny(strings.TrimRight(s, " "), ",;:()，；：")
	return i + 1
}

func firstMark(s string) int {
	if i := strings.IndexAny(s, ",;:()，；：—"); i >= 0 {
		return i
	}
	return len(s)
}

// holdsTaker reports whether folded words deny or doubt.
func holdsTaker(s string) bool {
	if strings.TrimSpace(s) == "" {
		return false
	}
	padded := " " + strings.Join(bareWords(s), " ") + " "
	for _, t := range takers {
		if strings.Contains(padded, " "+t+" ") {
			return true
		}
	}
	for _, t := range wideTakers {
		if strings.Contains(s, t) {
			return true
		}
	}
	return false
}

// bareWords are the words of folded text without punctuation.
func bareWords(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !unicode.Is(unicode.M, r) && r != '\'' && r != '-'
	})
}

// verdicts are whole answers that take back what stands before them.
var verdicts = words("false wrong no myth untrue incorrect not_true nope never nonsense fiction falsch nein unwahr mythos faux non falso falsa no mentira mito não falso nej nie ложь нет неправда миф 假 错 假的 错误 嘘 거짓 خطأ गलत ✗ ✘ ❌ fake hoax debunked disproved")

// pointers begin a sentence that speaks of the one before it.
var pointers = words("this that these those it the such all none both neither das dies diese es dieser ce cela c'est cette ces esto eso esta este es isto isso questo ciò è это эти это to ta det dette dat dit 这 这是 這 这种 那 これ それ この その 이 이는 هذا هذه ذلك यह ये bu")

// deniedBeside reports whether the sentence before announces something false, or the one
// after says that it was.
func deniedBeside(before, after string) bool {
	before, after = text.FoldCompare(before), text.FoldCompare(after)
	if w := bareWords(before); len(w) > 0 && (strings.HasSuffix(before, ":") || strings.HasSuffix(before, "：")) && (holdsTaker(before) || verdicts[strings.Join(w, " ")]) {
		return true
	}
	w := bareWords(after)
	if len(w) == 0 {
		return strings.HasPrefix(after, "✗") || strings.HasPrefix(after, "❌") || strings.HasPrefix(after, "✘")
	}
	if verdicts[strings.Join(w, "_")] || len(w) <= 3 && verdicts[strings.Join(w, " ")] {
		return true
	}
	if !pointers[w[0]] && !strings.HasPrefix(after, "这") && !strings.HasPrefix(after, "這") && !strings.HasPrefix(after, "これは") && !strings.HasPrefix(after, "それは") && !strings.HasPrefix(after, "이는") {
		return false
	}
	const reach = 9 // words: what comes later speaks of something else
	var head []string
	for _, word := range w[1:min(len(w), reach)] {
		if openers[word] || word == "to" && w[0] == "it" {
			return false // "it is false that …", "it is wrong to …" begin another matter
		}
		if !conditions[word] {
			head = append(head, word)
		}
	}
	said := strings.Join(head, " ")
	if strings.Contains(said, "no longer") {
		return strings.Contains(said, "no longer the case") || strings.Contains(said, "no longer true") || strings.Contains(said, "no longer valid") || strings.Contains(said, "no longer so")
	}
	return holdsTaker(said) || !pointers[w[0]] && holdsTaker(after)
}

// conditions are takers that take back nothing of the sentence before them.
var conditions = words(`if unless would until except whether claim claims claimed claiming could might should may used nobody hardly scarcely barely as though imagine suppose formerly
	prior wenn falls würde wäre hätte si sería serait bi niemand personne nadie nessuno ninguém als indien zou если бы jeśli skulle ville`)

// deniedCell reports whether a row holds the sentence as a cell and a verdict beside it.
func deniedCell(row, sentence string) bool {
	if !strings.Contains(row, "\t") || strings.Contains(sentence, "\t") {
		return false
	}
	for _, cell := range strings.Split(row, "\t") {
		c := strings.Trim(text.FoldCompare(cell), " .!:*")
		if c != "" && verdicts[strings.ReplaceAll(c, " ", "_")] {
			return true
		}
	}
	return false
}

// beside returns the row that a range of sentences stands in, where it is one, and the
// sentences before and after it: of its block, else of the blocks next to it.
func beside(d *wstk.Document, r text.Range) (row, before, after string) {
	const reach = 600 // bytes
	lang := d.Meta.Language
	i := d.BlockAt(r.Start)
	if i < 0 {
		return "", "", ""
	}
	b := d.Blocks[i]
	if block := d.BlockText(i); strings.Contains(block, "\t") {
		return block, "", ""
	}
	head := d.Text[max(b.ByteStart, r.Start-reach):r.Start]
	if strings.TrimSpace(head) == "" && i > 0 {
		head = d.BlockText(i - 1)
	}
	if rs := text.Sentences(head, lang); len(rs) > 0 {
		before = head[rs[len(rs)-1].Start:rs[len(rs)-1].End]
	}
	j := d.BlockAt(r.End - 1)
	if j < 0 {
		return "", before, ""
	}
	tail := d.Text[r.End:min(d.Blocks[j].ByteEnd, r.End+reach)]
	if strings.TrimLeft(tail, " .。।\u00a0\n") == "" && j+1 < len(d.Blocks) && d.Blocks[j+1].Kind != wstk.BlockHeading {
		tail = d.BlockText(j + 1)
	}
	if rs := text.Sentences(tail, lang); len(rs) > 0 {
		after = tail[rs[0].Start:rs[0].End]
	}
	return "", before, after
}
