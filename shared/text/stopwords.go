package text

// stopWords are the words of each language that carry no topic: articles,
// pronouns, prepositions, auxiliaries, and the words questions begin with. They
// are written without folding; language.go folds them.
var stopWords = map[string]string{
	"en": `a about above across after again against all almost along already also although always am among an and any anyone
anything are aren't around as at away be became because become been before being below between both but by can can't cannot
could couldn't did didn't do does doesn't doing don't done down during each either else ever every few for from further get gets
give given go got had hadn't has hasn't have haven't having he he'd he'll he's hence her here hers herself him himself his how
how's however i i'd i'll i'm i've if in into is isn't it it's its itself just let let's like may maybe me might mine more most much
must mustn't my myself nor not now of off often on once only or other others ought our ours ourselves out over own per please
rather really same shall she she'd she'll she's should shouldn't since so some somehow someone something such tell than that that's
the their theirs them themselves then there there's therefore these they they'd they'll they're they've this those though through
thus to too toward towards under until up upon us very via was wasn't we we'd we'll we're we've were weren't what what's whatever
when when's where where's whether which while who who's whoever whom whose why why's will with within without won't would wouldn't
yet you you'd you'll you're you've your yours yourself yourselves`,

	"es": `a al algo algún alguna algunas alguno algunos ante antes aquel aquella aquello aquellos así aún aunque cada como cómo con contra
cual cuál cuales cuáles cualquier cuando cuándo cuanta cuánta cuantas cuántas cuanto cuánto cuantos cuántos de del desde donde dónde dos
durante e el él ella ellas ello ellos en entre era eran es esa esas ese eso esos está están estaba esta estas este esto estos estoy fue
fueron ha había habían hacia han hasta hay la las le les lo los más me mi mí mis mucho muchos muy nada ni no nos nosotros nuestra nuestro
o os otra otras otro otros para pero poco por porque por qué que qué quien quién quienes quiénes se sea ser será si sí sido sin sobre
son su sus también tan tanto te tiene tienen toda todas todo todos tu tú tus un una unas uno unos usted ustedes y ya yo`,

	"fr": `à afin ai ainsi alors après as au aucun aucune aujourd'hui auquel aussi autre autres aux avait avant avec avoir c ça car ce ceci
cela celle celles celui cependant ces cet cette ceux chaque chez ci comme comment combien contre d dans de depuis des dont donc du elle
elles en encore entre es est est-ce et étaient était être eu eux faire fait furent fut grâce il ils j je jusque l la là laquelle le
lequel les lesquelles lesquels leur leurs lors lorsque lui m ma mais même mêmes mes moi moins mon n ne ni non nos notre nous on ont
ou où par parce pas pendant peu peut plus pour pourquoi puis qu quand que quel quelle quelles quels qui quoi s sa sans se selon sera ses
si sinon soit son sont sous sur t ta tandis te tel telle tes toi ton tous tout toute toutes très tu un une vers voici voilà vos votre vous y`,

	"de": `aber alle allem allen aller alles als also am an ander andere anderem anderen anderer anderes auch auf aus bei beim bin bis bist da
dabei dadurch dafür dagegen damit danach dann daran darauf daraus darin darum darüber das dass davon dazu dein deine dem den denen denn
dennoch der deren des deshalb dessen die dies diese diesem diesen dieser dieses doch dort du durch ein eine einem einen einer eines er
es etwa etwas euch euer für gegen gibt hab habe haben hat hatte hatten hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im
in indem ins ist ja jede jedem jeden jeder jedes jedoch jene jetzt kann kein keine keinem keinen können könnte man mehr mein meine mich
mir mit muss müssen nach nachdem neben nicht nichts noch nun nur ob obwohl oder ohne schon sehr sein seine seinem seinen seiner seit
selbst sich sie sind so solche soll sollen sollte sondern sonst sowie über um und uns unser unter vom von vor war waren warum was
wegen weil weiter welche welchem welchen welcher welches wem wen wenn wer werden wessen wie wieder wieso wir wird wo wobei wodurch woher
wohin wurde wurden während zu zum zur zwar zwischen wann wieviel viele viel`,

	"ru": `а без более больше будет будто бы был была были было быть в вам вас ведь весь во вот все всё всего всех вы где да даже для до
его ее её если есть еще ещё же за зачем здесь и из или им их к как какая какие какой какого каком когда кого которая которого которое
которой которые который которых кто куда ли либо между меня мне много может можно мой моя мы на над надо нам нас не него нее неё нет ни
них но ну о об однако он она они оно от откуда перед по под после потом потому почему при про раз с сам свое своё свои свой свою себе
себя сейчас сколько со так также такая такие такой там тебя тем то тогда того тоже той только том тот ту ты у уж уже хотя чего чей чем
через что чтобы чье чья эта эти это этой этом этот эту я является являются`,

	"it": `a ad agli ai al alcuni alla alle allo altri altro anche ancora avere aveva avevano c ché che chi ci cioè coi col come con contro
così cosa cui d da dagli dai dal dall dalla dalle dallo degli dei del dell della delle dello dentro di dopo dove dunque e è ed era erano
essere fa fino fra fu furono gli ha hai hanno ho i il in invece io l la le lei li lo loro lui ma me mentre mi mia mio molto ne negli nei
nel nell nella nelle nello no noi non nostra nostro o ogni oppure per perché perciò però più poi prima proprio qual quale quali quando
quanta quante quanti quanto quasi quella quelle quelli quello questa queste questi questo qui quindi sarà se sei senza si sia siamo sono
sopra sotto sta stata stato su sua sue sugli sui sul sulla sulle sullo suo suoi tra tu tua tuo tutta tutte tutti tutto un una uno vi voi`,

	"pt": `a à ainda além algo alguma algumas alguns ante antes ao aos apenas após aquela aquelas aquele aqueles aquilo as às até bem cada
com como contra cuja cujo da das de dela dele deles depois desde dessa desse desta deste do dos durante e é ela elas ele eles em embora
enquanto entre era eram essa essas esse esses esta está estão estas estava este estes eu foi foram há isso isto já la lhe lhes lo logo
mais mas me mesmo meu minha muito muitos na não nas nem nenhum no nos nós nossa nosso num numa o onde ou outra outras outro outros para
pela pelas pelo pelos por porém porque porquê pois qual quais qualquer quando quanta quantas quanto quantos que quê quem se seja sem sempre
ser será seu seus si sido sob sobre sua suas também tão tem têm ter teve tinha toda todas todo todos tu um uma umas uns você vocês vos`,

	"nl": `aan al alle alles als ander andere beide ben bij bijna daar daarom dan dat de deze die dit doch doen door dus een eens en enkele er
ge geen geweest haar had hadden heb hebben heeft hem hen het hier hij hoe hoeveel hun iemand iets ik in is ja je jij jullie kan kon
kunnen maar me meer men met mij mijn moet moeten na naar niet niets nog nu of om omdat onder ons onze ook op over reeds s te tegen toch
toen tot tussen u uit uw van veel voor waar waarom wanneer want waren was wat we wel welk welke werd werden wie wij wil word worden
wordt zal ze zelf zich zij zijn zo zonder zou zouden`,

	"sv": `alla allt än andra att av bara blev bli blir då där de dem den denna deras dess dessa det detta dig din dina ditt du efter eller
en er ett finns för från genom ha hade han hans har henne hennes hon honom hur i in inom inte jag ju kan kunde man med mellan men mer
mig min mina mitt mot mycket när någon något några nej ni nu och också om oss på samma sedan sig sin sina sitt ska skall skulle som så
till under upp ur ut utan vad var vår våra varför varit varje vars vart vem vi vid vilka vilkas vilken vilket`,

	"no": `alle at av bare ble blei bli blir både da de deg dei dem den denne der dere deres det dette di din disse ditt du eg ein eit eller
en enn er et etter for fordi fra før ha hadde han hans har henne hennes her hun hva hvem hver hvilken hvilke hvor hvordan hvorfor i ikke
ikkje ingen inn jeg kan kom korleis kunne kva kvar man mange med meg mellom men mer min mitt mot mye må når noe noen nå og også om opp
oss over på samme seg selv si sin sine sitt skal skulle slik som så til um under upp ut uten var vart ved vi vil ville vår være vært`,

	"da": `af alle alt anden at bare blev blive bliver da de dem den denne der deres det dette dig din disse dog du efter eller en end er et
for fordi fra før ham han hans har havde hende hendes her hos hun hvad hvem hver hvilke hvilken hvilket hvis hvor hvordan hvorfor
hvornår i ikke ind ingen jeg jer kan kun kunne man mange med meget mellem men mere mig min mine mit mod må ned noget nogle nu når og også
om op os over på samme selv sig sin sine sit skal skulle som så sådan til ud uden under var ved vi vil ville vor være været`,

	"fi": `ei eivät eli ellei en enemmän ennen että he heidän hän hänen ihan ilman itse ja jo joka joiden joissa joita jolla jonka jos jossa
jota jotka jälkeen kaikki kanssa kautta koska kuin kuinka kuitenkin kuka kun ketkä kenen lisäksi me mihin mikä miksi millä millainen
milloin minä missä mistä mitkä mitä miten mukaan mutta muun muut myös ne niiden niin noin nyt näin nämä ole oli olivat olla olleet on
ovat paljonko sekä sen siinä sitä sillä sinä se tai te tuo tämä tämän tätä vaan vai vaikka vain voi voidaan vielä`,

	"hu": `a abban ahhoz ahogy ahol aki akik akkor alatt amely amelyek ami amikor annak arra az azok azt azért be csak de e egy egyes egyik el
ellen ennek és ez ezek ezt fel hanem hogy hogyan hol hány honnan hova ha illetve így ilyen is ki kell kik kit közül között le lehet
legyen lesz lett már meg még mely melyik melyek mennyi mert mi mikor milyen miért mint mit mivel nagyon nem nincs ő ők össze pedig
s sem sok szerint során tehát úgy után vagy valamint van vannak volt voltak`,

	"tr": `acaba ama ancak artık aslında az bana bazı belki ben beni benim bir biraz birçok biri biz bize bu buna bunda bundan bunlar bunu
bunun burada çok çünkü da daha dahi de değil diğer diye dolayı en fakat gibi göre hangi hangisi hem hep her herhangi hiç için ile ise
işte kaç kadar karşı kendi kez ki kim kime kimin mı mi mu mü nasıl ne neden nerede nereye nesi niçin niye o olan olarak olduğu oldu
olduğunu olmak olur olursa on ona ondan onlar onu onun öyle oysa sen senin siz sonra şey şu tarafından tüm ve veya ya yani yine zaman`,

	"ro": `a abia acea aceasta această aceea acel acela acele acest acesta aceste acestea aceşti acești ai al ale alt alta altă alte altul am
ar are aș aşa așa asta astfel atât au avea ca că căci câine când câte câți câtă cât care cărei către ce cel cele cei cine cu cum cui da
dacă dar de deci deja deoarece deși despre din dintre doar după ea ei el ele era erau este eşti ești eu fără fi fie fost iar îi îl îmi
în înainte într între la le li lor lui mai mult multe nici nu noastră nostru noi o ori pe pentru peste poate prin sa să sale sau său se
și şi spre sunt sub te toate tot toți tu un una unde unei unele unor unui va vă voi vom`,

	"bg": `а ако бе беше би бил била били в във въпреки вече все всички всяка да дали до друг други е едва един една едно за защо защото и из
или им има име й го го каква какво какви какъв как като когато кога която което които който колко къде ли между ми много може може му на
над най не нея ни него но някой обаче около от откъде от по под при преди през само са се си след сме според също така такава такива
там тази тези това този трябва тя той те ще че чрез`,

	"pl": `aby albo ale ani aż bardzo będzie być był była było były by ci co czy czyli dla do gdy gdzie go i ich ile im ja jak jaka jakie
jaki jako je jednak jego jej jest jeszcze jeśli już każdy kiedy kto która które którego której który których lub ma może można mu na
nad nie nich niż o od on ona one oni oraz po pod podczas ponieważ przed przez przy są się tak także tam te tego tej ten to tylko tym u
w we więc wszystko z za ze że został została`,

	"cs": `a aby aj ale ani až bez bude by být byl byla bylo byly co což další do co dnes ho i ich jak jaká jaké jaký jako je jeho jejich jen
ještě ji jsem jsou k kde kdo když kdy které která který kolik má mezi mi může na nad ne nebo není než od on ona oni po pod podle pro proč
protože před při s se si tak také tam ten to tohoto tím u už v ve však z za ze že`,

	"id": `ada adalah akan antara apa apakah atau bagaimana bagi bahwa banyak beberapa berapa bisa dalam dan dapat dari dengan di dia hanya ia
ini itu jika juga kapan karena ke kepada kita lebih mana mengapa mereka namun oleh pada para saat saja sangat satu sebagai sebuah secara
seperti siapa sudah tahun tanpa telah tentang terhadap tersebut tidak untuk yang`,
}

// stopCJK are the bigrams of Chinese, Japanese and Korean that only ask or link.
var stopCJK = WordSet(`什么 甚麼 什麼 怎么 怎麼 怎样 怎樣 如何 哪里 哪裡 哪个 哪個 哪些 哪儿 为什 為什 多少 是否 谁是 誰是 是谁 是什 这个 這個 那个 那個
	です ます した して こと から まで など という ある いる なる する れる いう ため よう どこ いつ なぜ だれ 誰が 何で 何が どの どう のか
	무엇 무슨 어디 언제 누구 어떻 떻게 얼마 왜요 입니 니다 에서 으로 하는 있는 었다 했다 인가`)
